// SPDX-License-Identifier: BSL-1.0
// ./dev bench elementwise: sums, chains, broadcasts and elementary functions on arrays of every cache
// level, beside hand-written loops, Eigen's arrays, its tensors and xtensor. Results are written into
// memory that is used again, by all sides.
#include "sides.hpp"

#include <cmath>

namespace {
using namespace bench;

// Each as weft's program and, given numbers, arrays or tensors, as its peers write it.
constexpr auto add = [](auto const& a, auto const& b) { return a + b; };
constexpr auto chain = [](auto const& a, auto const& b) { // twenty operations
  return ((((((((((a * 1.5f + b) * a - 0.25f) * b + a) * 0.5f - b) * a + 0.75f) * b - a) * 0.125f +
             b) *
                a +
            0.5f) *
               b -
           a) *
              0.25f +
          b) *
             1.25f -
         0.375f;
};
constexpr auto of_exp = [](auto const& a) {
  using std::exp, weft::exp;
  return exp(a);
};
constexpr auto of_tanh = [](auto const& a) {
  using std::tanh, weft::tanh;
  return tanh(a);
};
constexpr auto gelu = [](auto const& a) { return weft::gelu_tanh(a); };
constexpr auto peers_gelu = [](auto const& a) {
  using std::tanh;
  return a * 0.5f * (tanh((a + a * a * a * 0.044715f) * 0.7978845608f) + 1.0f);
};
constexpr auto sigmoid = [](auto const& a) { return weft::sigmoid(a); };
constexpr auto peers_sigmoid = [](auto const& a) {
  using std::exp;
  return 1.0f / (exp(-a) + 1.0f);
};

template <int N, auto F> contest of_two(char const* name, work amount, double tolerance) {
  return {name + (", " + count_text(N)), amount, tolerance, [](int threads) {
            arrays const x({N, N}, N);
            std::vector<side> all{
                weft_side<F>(threads, tensor_of<float, N>(*x.in[0]), tensor_of<float, N>(*x.in[1])),
                memory_limit(8.0 * N, 4.0 * N, threads)};
            add_peers<N>(all, x, threads, F, x[0], x[1]);
            return all;
          }};
}
template <int N> contest sum_of_two() { return of_two<N, add>("a + b", {0, 12.0 * N}, 0); }
// Contracted by compilers or not: a rounding here and there of numbers of that size.
template <int N> contest chain_of_two() {
  return of_two<N, chain>("20 operations", {20.0 * N}, 2e-6);
}
template <int N, auto F, auto Peers = F> contest of_one(char const* name, double tolerance) {
  return {name + (", " + count_text(N)), {0, 8.0 * N}, tolerance, [](int threads) {
            arrays const x({N}, N);
            std::vector<side> all{weft_side<F>(threads, tensor_of<float, N>(*x.in[0])),
                                  memory_limit(4.0 * N, 4.0 * N, threads)};
            add_peers<N>(all, x, threads, Peers, x[0]);
            return all;
          }};
}

} // namespace

int main(int argc, char** argv) {
  std::vector<contest> all{sum_of_two<1000>(),
                           sum_of_two<100'000>(),
                           sum_of_two<1'000'000>(),
                           sum_of_two<16'000'000>(),
                           chain_of_two<1000>(),
                           chain_of_two<100'000>(),
                           chain_of_two<1'000'000>(),
                           of_one<100'000, of_exp>("exp", 5e-7),
                           of_one<100'000, of_tanh>("tanh", 1e-6),
                           of_one<100'000, sigmoid, peers_sigmoid>("sigmoid", 1e-6),
                           of_one<100'000, gelu, peers_gelu>("gelu", 2e-6)};
  for (contest& c : broadcasts()) all.push_back(std::move(c));
  return compete("elementwise", argc, argv, all);
}
