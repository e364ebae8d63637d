// SPDX-License-Identifier: BSL-1.0
// Products of fixed small sizes, as they stand inside a program's loops: one thread, 256 a run.
#include "sides.hpp"

namespace bench {
namespace {

constexpr int times = 256;

// N x N by N x C; of one column a vector.
template <int N, int C> [[gnu::noinline]] void by_loop(float const* a, float const* b, float* c) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < C; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * C + j];
      c[i * C + j] = sum;
    }
}

template <int N, int C> side loop_side(operands<float> const& x) {
  return {"loop",
          [x] {
            for (int i = 0; i < times; ++i) by_loop<N, C>(x.a->data(), x.b->data(), x.out->data());
          },
          [x] { return as_doubles(*x.out); }};
}

#ifdef WEFT_HAS_EIGEN
template <int N, int C> side fixed_eigen_side(operands<float> const& x) {
  using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
  using result = Eigen::Matrix<float, N, C, C == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  struct kept {
    matrix a;
    result b, out;
  };
  auto const k = std::make_shared<kept>();
  k->a = Eigen::Map<matrix const>(x.a->data());
  k->b = Eigen::Map<result const>(x.b->data());
  return {"Eigen",
          [k] {
            for (int i = 0; i < times; ++i) {
              k->out.noalias() = k->a * k->b;
              asm volatile("" : : "r"(k.get()) : "memory"); // each one is done
            }
          },
          [k] { return std::vector<double>(k->out.data(), k->out.data() + N * C); }};
}
#endif

// Immediate: no graph is kept, an expression and its value.
template <int N, auto... E> side immediate_side(operands<float> const& x) {
  constexpr weft::fixed_string spec = [] {
    if constexpr (sizeof...(E) == 1) return weft::fixed_string("mk,k->m");
    else return weft::fixed_string("mk,kn->mn");
  }();
  struct kept {
    weft::tensor<float, N, N> a;
    weft::tensor<float, E...> b, out;
  };
  auto const k = std::make_shared<kept>();
  k->a = tensor_of<float, N, N>(x.a_numbers);
  k->b = tensor_of<float, E...>(x.b_numbers);
  return {"weft",
          [k] {
            for (int i = 0; i < times; ++i) {
              k->out = weft::einsum<spec>(k->a, k->b);
              asm volatile("" : : "r"(k.get()) : "memory");
            }
          },
          [k] { return as_doubles(k->out); }};
}

template <int N, int C, auto... E> std::vector<side> small(int) {
  operands<float> const x(N, C, N, 1);
  std::vector<side> all{immediate_side<N, E...>(x),
                        arithmetic_limit(arithmetic::f32, 2.0 * N * N * C * times, 1),
                        loop_side<N, C>(x)};
#ifdef WEFT_HAS_EIGEN
  all.push_back(fixed_eigen_side<N, C>(x));
#endif
  return all;
}
template <int N, int C, auto... E> contest fixed_of() {
  return {named("f32 fixed", N, C, N),
          {2.0 * N * N * C * times, 0, times},
          tolerance<float>(N),
          small<N, C, E...>,
          1};
}
template <int N> contest fixed() { return fixed_of<N, N, N, N>(); }
template <int N> contest fixed_by_vector() { return fixed_of<N, 1, N>(); }

} // namespace

std::vector<contest> small_products() {
  return {fixed<2>(),           fixed<3>(),           fixed<4>(),           fixed<6>(),
          fixed<8>(),           fixed<12>(),          fixed<16>(),          fixed_by_vector<2>(),
          fixed_by_vector<3>(), fixed_by_vector<4>(), fixed_by_vector<6>(), fixed_by_vector<8>(),
          fixed_by_vector<16>()};
}

} // namespace bench
