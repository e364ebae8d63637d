// SPDX-License-Identifier: BSL-1.0
// ./dev bench product: matrix products of every size beside Eigen, OpenBLAS and oneDNN.
// oneDNN(own): b in a format of its choice, made outside of the timing.
#include "sides.hpp"

namespace {
using namespace bench;

template <class T, int M, int N, int K> std::vector<side> two_matrices(int threads) {
  operands<T> const x(M, N, K, 1);
  std::vector<side> all{weft_side<times_matrix<"mk,kn->mn">>(threads,
                                                             tensor_of<T, M, K>(x.a_numbers),
                                                             tensor_of<T, K, N>(x.b_numbers)),
                        arithmetic_limit(kind<T>, 2.0 * M * N * K, threads)};
  add_peers<T>(all, x, threads);
  return all;
}
template <class T, int M, int N, int K> contest product(char const* type) {
  return {named(type, M, N, K), {2.0 * M * N * K}, tolerance<T>(K), two_matrices<T, M, N, K>};
}

// x W^T and x^T W as layers have them: operands stored the other way round.
template <int M, int N, int K> std::vector<side> by_transposed(int threads) {
  operands<float> const x(M, N, K, 1, false, true);
  std::vector<side> all{weft_side<times_matrix<"mk,nk->mn">>(threads,
                                                             tensor_of<float, M, K>(x.a_numbers),
                                                             tensor_of<float, N, K>(x.b_numbers)),
                        arithmetic_limit(arithmetic::f32, 2.0 * M * N * K, threads)};
  add_peers<float>(all, x, threads);
  return all;
}
template <int M, int N, int K> std::vector<side> transposed_by(int threads) {
  operands<float> const x(M, N, K, 1, true, false);
  std::vector<side> all{weft_side<times_matrix<"km,kn->mn">>(threads,
                                                             tensor_of<float, K, M>(x.a_numbers),
                                                             tensor_of<float, K, N>(x.b_numbers)),
                        arithmetic_limit(arithmetic::f32, 2.0 * M * N * K, threads)};
  add_peers<float>(all, x, threads);
  return all;
}

template <int Batch, int N> std::vector<side> batches(int threads) {
  operands<float> const x(N, N, N, Batch);
  std::vector<side> all{
      weft_side<times_matrix<"bmk,bkn->bmn">>(threads, tensor_of<float, Batch, N, N>(x.a_numbers),
                                              tensor_of<float, Batch, N, N>(x.b_numbers)),
      arithmetic_limit(arithmetic::f32, 2.0 * Batch * N * N * N, threads)};
  add_peers<float>(all, x, threads);
  return all;
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
      {"f32 512x512x512, b transposed",
       {2.0 * 512 * 512 * 512},
       tolerance<float>(512),
       by_transposed<512, 512, 512>},
      {"f32 512x512x512, a transposed",
       {2.0 * 512 * 512 * 512},
       tolerance<float>(512),
       transposed_by<512, 512, 512>},
      {"f32 8x512x512, b transposed",
       {2.0 * 8 * 512 * 512},
       tolerance<float>(512),
       by_transposed<8, 512, 512>},
      {"f32 256 batches of 16x16x16", {2.0 * 256 * 4096}, tolerance<float>(16), batches<256, 16>},
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
