// SPDX-License-Identifier: BSL-1.0
// build: alone -O2
// A whole training step as one program: embedding, GRU in time, dropout, cross-entropy, gradients,
// Adam; in float.
#include "run/compiled.hpp"

#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr int symbols = 11, features = 5, units = 9, streams = 3, steps = 4;

template <template <class, auto...> class array> struct model {
  array<float, symbols, features> embedding;
  gru_weights<array, features, units> cell;
  array<float, symbols, units> output;
  array<float, symbols> bias;
};
template <template <class, auto...> class array>
using moments = typename adam_for<model>::template state<array>;

constexpr auto cost = [](auto p, auto h0, auto inputs, auto targets, auto key) {
  auto one_hot = convert<float>(at<"..., new">(inputs) == arange<int, symbols>());
  auto xs = einsum<"tbv,ve->tbe">(one_hot, p.embedding);
  auto [last, hs] = scan(
      [&](auto h, auto x) {
        auto next = gru(p.cell, h, x);
        return std::pair(next, next);
      },
      h0, xs);
  auto logits = linear<"tbh,vh->tbv">(dropout(key, 0.2f, hs), p.output, p.bias);
  return std::pair(mean(softmax_cross_entropy(logits, targets)), last);
};
template <auto Cost>
constexpr auto train = [](auto p, auto m, auto h0, auto inputs, auto targets, auto key, auto rate) {
  auto [result, grads] = value_and_grad(Cost)(p, h0, inputs, targets, fold_in(key, m.step));
  auto [next, next_m] = adam(p, grads, m, rate);
  return std::tuple(next, next_m, result.second, result.first);
};

template <auto Cost> void check_steps() {
  model<tensor> p{filled<float, symbols, features>(2),
                  {filled<float, 3 * units, features>(4), filled<float, 3 * units, units>(6),
                   filled<float, 3 * units>(8), filled<float, 3 * units>(10)},
                  filled<float, symbols, units>(12),
                  filled<float, symbols>(14)};
  moments<tensor> m;
  auto h = filled<float, streams, units>(16);
  tensor<int, steps, streams> inputs, targets;
  for (int t = 0; t < steps; ++t)
    for (int b = 0; b < streams; ++b) {
      inputs.mutate()(t, b) = (3 * t + b) % symbols;
      targets.mutate()(t, b) = (3 * t + b + 3) % symbols;
    }
  for (int i = 0; i < 3; ++i) {
    check<train<Cost>>(p, m, h, inputs, targets, key(5), 0.01f);
    auto [next, next_m, last, loss] = jit<train<Cost>>(p, m, h, inputs, targets, key(5), 0.01f);
    p = next;
    m = next_m;
    h = last;
  }
}
TEST(compiled_training, in_float) { check_steps<cost>(); }

} // namespace
