// SPDX-License-Identifier: BSL-1.0
// ./dev bench product: matrix products of every size beside Eigen, OpenBLAS and oneDNN.
// oneDNN(own): b in a format of its choice, made outside of the timing.
#include "sides.hpp"

namespace {
using namespace bench;
using weft::fixed_string, weft::tensor;

// A product of arrays of these extents, over the numbers of `x`.
template <fixed_string Spec, class A, class B, class T>
std::vector<side> sides(operands<T> const& x, int threads) {
  auto const a = filled<A>(x.a_numbers);
  auto const b = filled<B>(x.b_numbers);
  std::vector<side> all{weft_side<times_matrix<Spec>>(threads, a, b),
                        weft_side<times_matrix<Spec>, weft::policy::fast>(threads, a, b),
                        arithmetic_limit(kind<T>, x.operations(), threads)};
  add_peers<T>(all, x, threads);
  return all;
}
template <class T, int M, int N, int K> contest product(char const* type) {
  return {named(type, M, N, K), {2.0 * M * N * K}, tolerance<T>(K), [](int threads) {
            return sides<"mk,kn->mn", tensor<T, M, K>, tensor<T, K, N>>(operands<T>(M, N, K, 1),
                                                                        threads);
          }};
}
// x W^T and x^T W as layers have them: operands stored the other way round.
template <int M, int N, int K> contest by_transposed() {
  return {named("f32", M, N, K) + ", b transposed",
          {2.0 * M * N * K},
          tolerance<float>(K),
          [](int threads) {
            return sides<"mk,nk->mn", tensor<float, M, K>, tensor<float, N, K>>(
                operands<float>(M, N, K, 1, false, true), threads);
          }};
}
template <int M, int N, int K> contest transposed_by() {
  return {named("f32", M, N, K) + ", a transposed",
          {2.0 * M * N * K},
          tolerance<float>(K),
          [](int threads) {
            return sides<"km,kn->mn", tensor<float, K, M>, tensor<float, K, N>>(
                operands<float>(M, N, K, 1, true, false), threads);
          }};
}
template <int Batch, int N> contest batches() {
  return {std::to_string(Batch) + " batches, " + named("f32", N, N, N),
          {2.0 * Batch * N * N * N},
          tolerance<float>(N),
          [](int threads) {
            return sides<"bmk,bkn->bmn", tensor<float, Batch, N, N>, tensor<float, Batch, N, N>>(
                operands<float>(N, N, N, Batch), threads);
          }};
}

std::vector<contest> contests() {
  return {
      product<float, 64, 64, 64>("f32"),
      product<float, 128, 128, 128>("f32"),
      product<float, 256, 256, 256>("f32"),
      product<float, 512, 512, 512>("f32"),
      product<float, 1024, 1024, 1024>("f32"),
      product<float, 2048, 2048, 2048>("f32"),
      product<float, 1000, 64, 64>("f32"),
      product<float, 8, 512, 512>("f32"),
      product<float, 512, 8, 512>("f32"),
      product<float, 1, 512, 512>("f32"),
      product<float, 512, 1, 512>("f32"),
      by_transposed<512, 512, 512>(),
      transposed_by<512, 512, 512>(),
      by_transposed<8, 512, 512>(),
      batches<256, 16>(),
      product<double, 64, 64, 64>("f64"),
      product<double, 512, 512, 512>("f64"),
      product<double, 1024, 1024, 1024>("f64"),
      product<weft::bf16, 64, 64, 64>("bf16"),
      product<weft::bf16, 256, 256, 256>("bf16"),
      product<weft::bf16, 512, 512, 512>("bf16"),
      product<weft::bf16, 1024, 1024, 1024>("bf16"),
      product<weft::bf16, 8, 512, 512>("bf16"),
  };
}

} // namespace

int main(int argc, char** argv) {
  std::vector<contest> all = contests();
  for (contest& c : bench::small_products()) all.push_back(std::move(c));
  return bench::compete("product", argc, argv, all);
}
