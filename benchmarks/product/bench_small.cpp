// SPDX-License-Identifier: BSL-1.0
// Products of fixed small sizes, as they stand inside a program's loops: one thread, 256 a run.
#include "sides.hpp"

namespace bench {
namespace {

constexpr int times = 256;

template <int N> [[gnu::noinline]] void by_loop(float const* a, float const* b, float* c) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

template <int N> side loop_side(operands<float> const& x) {
  return {"loop",
          [x] {
            for (int i = 0; i < times; ++i) by_loop<N>(x.a->data(), x.b->data(), x.out->data());
          },
          [x] { return as_doubles(*x.out); }};
}

#ifdef WEFT_HAS_EIGEN
template <int N> side fixed_eigen_side(operands<float> const& x) {
  using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
  struct kept {
    matrix a, b, out;
  };
  auto const k = std::make_shared<kept>();
  k->a = Eigen::Map<matrix const>(x.a->data());
  k->b = Eigen::Map<matrix const>(x.b->data());
  return {"Eigen",
          [k] {
            for (int i = 0; i < times; ++i) {
              k->out.noalias() = k->a * k->b;
              asm volatile("" : : "r"(k.get()) : "memory"); // each one is done
            }
          },
          [k] { return std::vector<double>(k->out.data(), k->out.data() + N * N); }};
}
#endif

// Immediate: no graph is kept, an expression and its value.
template <int N> side immediate_side(operands<float> const& x) {
  struct kept {
    weft::tensor<float, N, N> a, b, out;
  };
  auto const k = std::make_shared<kept>();
  k->a = tensor_of<float, N, N>(x.a_numbers);
  k->b = tensor_of<float, N, N>(x.b_numbers);
  return {"weft",
          [k] {
            for (int i = 0; i < times; ++i) {
              k->out = weft::einsum<"mk,kn->mn">(k->a, k->b);
              asm volatile("" : : "r"(k.get()) : "memory");
            }
          },
          [k] { return as_doubles(k->out); }};
}

template <int N> std::vector<side> small(int) {
  operands<float> const x(N, N, N, 1);
  std::vector<side> all{immediate_side<N>(x),
                        arithmetic_limit(arithmetic::f32, 2.0 * N * N * N * times, 1),
                        loop_side<N>(x)};
#ifdef WEFT_HAS_EIGEN
  all.push_back(fixed_eigen_side<N>(x));
#endif
  return all;
}
template <int N> contest fixed() {
  return {named("f32 fixed", N, N, N),
          {2.0 * N * N * N * times, 0, times},
          tolerance<float>(N),
          small<N>,
          1};
}

// A matrix by a vector.
template <int N> [[gnu::noinline]] void vector_by_loop(float const* a, float const* b, float* c) {
  for (int i = 0; i < N; ++i) {
    float sum = 0;
    for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k];
    c[i] = sum;
  }
}
template <int N> std::vector<side> small_vector(int) {
  operands<float> const x(N, 1, N, 1);
  struct kept {
    weft::tensor<float, N, N> a;
    weft::tensor<float, N> b, out;
  };
  auto const k = std::make_shared<kept>();
  k->a = tensor_of<float, N, N>(x.a_numbers);
  k->b = tensor_of<float, N>(x.b_numbers);
  std::vector<side> all{{"weft",
                         [k] {
                           for (int i = 0; i < times; ++i) {
                             k->out = weft::einsum<"mk,k->m">(k->a, k->b);
                             asm volatile("" : : "r"(k.get()) : "memory");
                           }
                         },
                         [k] { return as_doubles(k->out); }},
                        arithmetic_limit(arithmetic::f32, 2.0 * N * N * times, 1),
                        {"loop",
                         [x] {
                           for (int i = 0; i < times; ++i)
                             vector_by_loop<N>(x.a->data(), x.b->data(), x.out->data());
                         },
                         [x] { return as_doubles(*x.out); }}};
#ifdef WEFT_HAS_EIGEN
  struct kept_eigen {
    Eigen::Matrix<float, N, N, Eigen::RowMajor> a;
    Eigen::Matrix<float, N, 1> b, out;
  };
  auto const e = std::make_shared<kept_eigen>();
  e->a = Eigen::Map<Eigen::Matrix<float, N, N, Eigen::RowMajor> const>(x.a->data());
  e->b = Eigen::Map<Eigen::Matrix<float, N, 1> const>(x.b->data());
  all.push_back({"Eigen",
                 [e] {
                   for (int i = 0; i < times; ++i) {
                     e->out.noalias() = e->a * e->b;
                     asm volatile("" : : "r"(e.get()) : "memory");
                   }
                 },
                 [e] { return std::vector<double>(e->out.data(), e->out.data() + N); }});
#endif
  return all;
}
template <int N> contest fixed_by_vector() {
  return {named("f32 fixed", N, 1, N),
          {2.0 * N * N * times, 0, times},
          tolerance<float>(N),
          small_vector<N>,
          1};
}

} // namespace

std::vector<contest> small_products() {
  return {fixed<2>(),           fixed<3>(),           fixed<4>(),           fixed<6>(),
          fixed<8>(),           fixed<12>(),          fixed<16>(),          fixed_by_vector<2>(),
          fixed_by_vector<3>(), fixed_by_vector<4>(), fixed_by_vector<6>(), fixed_by_vector<8>(),
          fixed_by_vector<16>()};
}

} // namespace bench
