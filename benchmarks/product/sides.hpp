// SPDX-License-Identifier: BSL-1.0
// The peers of a product of matrices, over the same numbers: Eigen, OpenBLAS, oneDNN.
#pragma once

#include "../common/blas.hpp"
#include "../common/eigen.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"
#ifdef WEFT_HAS_DNNL
#include "../common/onednn_product.hpp"
#endif

#include <omp.h>

namespace bench {

std::vector<contest> small_products(); // bench_small.cpp

template <weft::fixed_string Spec>
inline constexpr auto times_matrix = [](auto a, auto b) { return weft::einsum<Spec>(a, b); };

template <class T>
inline constexpr arithmetic kind = std::is_same_v<T, double>  ? arithmetic::f64
                                   : std::is_same_v<T, float> ? arithmetic::f32
                                                              : arithmetic::bf16;
// Two orders of a chain of k roundings, of which few go the same way; bf16: and the last one.
template <class T> double tolerance(int k) {
  double const last = std::is_same_v<T, double> ? 1e-16 : std::is_same_v<T, float> ? 6e-8 : 4e-3;
  double const sum = std::is_same_v<T, double> ? 1.1e-16 : 6e-8;
  return 2 * last + sum * k;
}
inline std::string named(char const* type, int m, int n, int k) {
  return std::string(type) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
         std::to_string(k);
}

// Numbers of a product, made once for all sides, in the type and at the places that peers read.
template <class T> struct operands {
  int m, n, k, batch;
  bool a_transposed, b_transposed; // stored k x m, n x k
  std::vector<float> a_numbers, b_numbers;
  std::shared_ptr<std::vector<T>> a, b, out;

  double operations() const { return 2.0 * m * n * k * batch; }
  operands(int rows, int columns, int depth, int count, bool at = false, bool bt = false)
      : m(rows), n(columns), k(depth), batch(count), a_transposed(at), b_transposed(bt) {
    auto const many = [&](int x, int y) {
      return static_cast<std::size_t>(x) * static_cast<std::size_t>(y) *
             static_cast<std::size_t>(batch);
    };
    a_numbers = uniform(many(m, k), 1);
    b_numbers = uniform(many(k, n), 2);
    a = as_type(a_numbers);
    b = as_type(b_numbers);
    out = std::make_shared<std::vector<T>>(many(m, n));
  }

private:
  static std::shared_ptr<std::vector<T>> as_type(std::vector<float> const& x) {
    auto const v = std::make_shared<std::vector<T>>();
    for (float const e : x) v->push_back(T(e));
    return v;
  }
};

#ifdef WEFT_HAS_EIGEN
template <class T> side eigen_side(operands<T> const& x, int threads) {
  using rows = Eigen::Matrix<T, -1, -1, Eigen::RowMajor>;
  using columns = Eigen::Matrix<T, -1, -1>;
  auto multiply = [x](auto const& a, auto const& b, int i) {
    Eigen::Map<rows>(x.out->data() + std::ptrdiff_t{i} * x.m * x.n, x.m, x.n).noalias() = a * b;
  };
  return {"Eigen",
          [x, threads, multiply] {
            Eigen::setNbThreads(threads);
            for (int i = 0; i < x.batch; ++i) {
              T const *a = x.a->data() + std::ptrdiff_t{i} * x.m * x.k,
                      *b = x.b->data() + std::ptrdiff_t{i} * x.k * x.n;
              if (x.a_transposed)
                multiply(Eigen::Map<columns const>(a, x.m, x.k),
                         Eigen::Map<rows const>(b, x.k, x.n), i);
              else if (x.b_transposed)
                multiply(Eigen::Map<rows const>(a, x.m, x.k),
                         Eigen::Map<columns const>(b, x.k, x.n), i);
              else
                multiply(Eigen::Map<rows const>(a, x.m, x.k), Eigen::Map<rows const>(b, x.k, x.n),
                         i);
            }
          },
          [x] { return as_doubles(*x.out); }};
}
#endif

template <class T> void add_blas(std::vector<side>& all, operands<T> const& x, int threads) {
  for (blas const& library : blas_libraries())
    all.push_back(
        {library.name,
         [x, threads, library] {
           library.set_threads(threads);
           int const a_rows = x.a_transposed ? x.m : x.k, b_rows = x.b_transposed ? x.k : x.n;
           for (int i = 0; i < x.batch; ++i) {
             T const *a = x.a->data() + std::ptrdiff_t{i} * x.m * x.k,
                     *b = x.b->data() + std::ptrdiff_t{i} * x.k * x.n;
             T* const c = x.out->data() + std::ptrdiff_t{i} * x.m * x.n;
             auto const f = [&] {
               if constexpr (std::is_same_v<T, float>) return library.sgemm;
               else return library.dgemm;
             }();
             f(row_major, x.a_transposed ? transposed : plain, x.b_transposed ? transposed : plain,
               x.m, x.n, x.k, 1, a, a_rows, b, b_rows, 0, c, x.n);
           }
         },
         [x] { return as_doubles(*x.out); }});
}

#ifdef WEFT_HAS_DNNL
// Nothing where oneDNN has no such product for this CPU: bf16 wants AVX-512.
template <class T>
void add_onednn(std::vector<side>& all, operands<T> const& x, int threads, bool own) try {
  using product = onednn_product;
  auto const t = std::is_same_v<T, float> ? product::type::f32 : product::type::bf16;
  using dims = dnnl::memory::dims;
  auto const array = [&](int rows, int columns, bool turned, void* data) {
    dims shape{rows, columns}, strides = turned ? dims{1, rows} : dims{columns, 1};
    if (x.batch > 1) {
      shape.insert(shape.begin(), x.batch);
      strides.insert(strides.begin(), dnnl::memory::dim{rows} * columns);
    }
    return product::array{shape, strides, data};
  };
  omp_set_num_threads(threads);
  auto const p = std::make_shared<product>(t, array(x.m, x.k, x.a_transposed, x.a->data()),
                                           array(x.k, x.n, x.b_transposed, x.b->data()),
                                           array(x.m, x.n, false, x.out->data()), own);
  all.push_back({own ? "oneDNN(own)" : "oneDNN",
                 [p, threads] {
                   omp_set_num_threads(threads);
                   p->run();
                 },
                 [x] { return as_doubles(*x.out); }});
} catch (dnnl::error const& e) {
  if (e.status != dnnl_unimplemented) throw;
}
#endif

template <class T> void add_peers(std::vector<side>& all, operands<T> const& x, int threads) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
#ifdef WEFT_HAS_EIGEN
    all.push_back(eigen_side(x, threads));
#endif
    add_blas(all, x, threads);
  }
  if constexpr (!std::is_same_v<T, double>) {
#ifdef WEFT_HAS_DNNL
    add_onednn(all, x, threads, false);
    if (x.batch == 1) add_onednn(all, x, threads, true);
#endif
  }
}

} // namespace bench
