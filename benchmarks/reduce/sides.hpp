// SPDX-License-Identifier: BSL-1.0
// The sides of a contest that reads a matrix, and where its peers find it.
#pragma once

#include "../common/arrays.hpp"
#include "../common/eigen_tensor.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"
#include "../common/xtensor.hpp"

#include <cmath>

namespace bench {

std::vector<contest> plain_reductions(); // bench_plain.cpp
std::vector<contest> row_programs();     // bench_rows.cpp
std::vector<contest> pools();            // bench_pools.cpp

// A matrix of M x N numbers and a result of `Out`: memory that peers share, for lambdas to keep.
struct matrix {
  float const* in;
  float* out;
  int m, n, threads;

#ifdef WEFT_HAS_EIGEN
  auto eigen() const { return Eigen::Map<eigen_array const>(in, m, n); }
  auto eigen_column() const { return Eigen::Map<Eigen::Array<float, -1, 1>>(out, m); }
  auto eigen_row() const { return Eigen::Map<Eigen::Array<float, 1, -1>>(out, n); }
  auto eigen_out() const { return Eigen::Map<eigen_array>(out, m, n); }
  auto tensor() const {
    return Eigen::TensorMap<Eigen::Tensor<float const, 2, Eigen::RowMajor>>(in, m, n);
  }
#endif
#ifdef WEFT_HAS_XTENSOR
  auto xtensor() const { return xtensor_at(in, m, n); }
  auto xtensor_out(std::size_t count) const { return xtensor_at(out, count); }
#endif
};

// weft and the limit of memory; `peers` adds the others.
template <auto F, int M, int N, class Peers>
std::vector<side> of_matrix(int threads, int results, Peers const& peers) {
  arrays const x({static_cast<std::size_t>(M) * N}, static_cast<std::size_t>(results));
  auto const in = tensor_of<float, M, N>(*x.in[0]);
  std::vector<side> all{weft_side<F>(threads, in), weft_side<F, weft::policy::fast>(threads, in),
                        memory_limit(4.0 * M * N, 4.0 * results, threads)};
  peers(all, x, matrix{x[0], x.result(), M, N, threads});
  return all;
}

inline std::string of_size(char const* name, int m, int n) {
  return std::string(name) + ", " + std::to_string(m) + "x" + std::to_string(n);
}

} // namespace bench
