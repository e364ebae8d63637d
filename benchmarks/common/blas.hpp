// SPDX-License-Identifier: BSL-1.0
// OpenBLAS as users get it, and told the machine: Debian's picks kernels by the CPU's name, and for
// names younger than itself takes those of AVX2. Both in one process: the library is loaded a second
// time from a copy, with OPENBLAS_CORETYPE set. None where it is not installed.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct blas {
  std::string name;
  // C's functions (CBLAS): row-major, with leading dimensions.
  void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                float const* a, int lda, float const* b, int ldb, float beta, float* c, int ldc);
  void (*dgemm)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                double const* a, int lda, double const* b, int ldb, double beta, double* c,
                int ldc);
  void (*set_threads)(int);
};
inline constexpr int row_major = 101, plain = 111, transposed = 112;

std::vector<blas> const& blas_libraries();

} // namespace bench
