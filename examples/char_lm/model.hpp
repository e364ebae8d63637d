// SPDX-License-Identifier: BSL-1.0
// The model and its training step, as functions of arrays: symbols -> embedding -> GRU -> logits of
// the next symbol. The GRU has PyTorch's gate order (reset, update, new), and its reset rule: r
// multiplies W_hn h + b_hn, after the product.
// Shapes: symbols (steps, streams), a state (streams, hidden), logits (steps, streams, vocabulary).
// Leaves: pure functions; what a step draws depends on the key and on Adam's count of steps alone.
#pragma once

#include <weft/weft.hpp>

#include <weft/lang/sharding.hpp>

#include <tuple>
#include <utility>

namespace char_lm {

using weft::tensor;

inline constexpr int vocabulary = 128, features = 64, hidden = 256;
inline constexpr int streams_at_once = 16, steps_at_once = 64; // of one training step
inline constexpr float dropped = 0.1f;

template <template <class, auto...> class array> struct params {
  array<float, vocabulary, features> embedding;
  weft::gru_weights<array, features, hidden> cell;
  array<float, vocabulary, hidden> output;
  array<float, vocabulary> output_bias;
};
template <template <class, auto...> class array>
using moments = typename weft::adam_for<params>::template state<array>;

// pair(last state, states (steps, streams, hidden)). A row of the embedding is taken by a product
// with a one-hot row, which is exact.
inline constexpr auto hidden_states = [](auto p, auto state, auto symbols) {
  auto one_hot = convert<float>(at<"..., new">(symbols) == weft::arange<int, vocabulary>());
  auto xs = einsum<"tbv,ve->tbe">(one_hot, p.embedding);
  auto cell = [&](auto h, auto x) {
    auto next = gru(p.cell, h, x);
    return std::pair(next, next);
  };
  return scan(cell, state, xs);
};
inline constexpr auto logits_of = [](auto p, auto states) {
  return linear<"tbh,vh->tbv">(states, p.output, p.output_bias);
};

// Of processes that share out the streams (on_ranks.cpp) all have the losses of all characters here, so
// that their mean is one machine's; alone shard changes nothing.
inline constexpr auto nats_of = [](auto logits, auto targets) {
  return mean(weft::shard<>(softmax_cross_entropy(logits, targets)));
};

// pair(nats per character, last state).
inline constexpr auto score = [](auto p, auto state, auto inputs, auto targets) {
  auto [last, states] = hidden_states(p, state, inputs);
  return std::pair(nats_of(logits_of(p, states), targets), last);
};
// The same while training, where states are dropped on their way to the output.
inline constexpr auto loss = [](auto p, auto state, auto inputs, auto targets, auto key) {
  auto [last, states] = hidden_states(p, state, inputs);
  auto logits = logits_of(p, dropout(key, dropped, states));
  return std::pair(nats_of(logits, targets), last);
};

// One step of Adam: (parameters, moments, last state, nats per character).
template <auto Loss>
inline constexpr auto train_step =
    [](auto p, auto m, auto state, auto inputs, auto targets, auto key, auto rate) {
      auto [result, grads] = weft::value_and_grad(Loss)(p, state, inputs, targets,
                                                        fold_in(key, m.step));
      auto [next, next_m] = adam<weft::adam_options{.square_decay = 0.99}>(p, grads, m, rate);
      return std::tuple(next, next_m, result.second, result.first);
    };

// (state, probabilities of the next symbol, a number in [0, 1) to choose by).
inline constexpr auto next_symbol = [](auto p, auto state, auto symbol, auto temperature, auto key,
                                       auto place) {
  auto [last, states] = hidden_states(p, state, symbol);
  auto probabilities = softmax(logits_of(p, states) / temperature);
  return std::tuple(last, probabilities, weft::uniform<>(fold_in(key, place)));
};

using parameters = params<tensor>;
using state = tensor<float, streams_at_once, hidden>;
using block = tensor<int, steps_at_once, streams_at_once>;

struct train_f32 : weft::program<train_step<loss>, parameters, moments<tensor>, state, block, block,
                                 weft::key, float> {};
struct train_bf16 : weft::program<train_step<weft::autocast<weft::bf16>(loss)>, parameters,
                                  moments<tensor>, state, block, block, weft::key, float> {};
struct score_block : weft::program<score, parameters, state, block, block> {};
struct sample_step : weft::program<next_symbol, parameters, tensor<float, 1, hidden>,
                                   tensor<int, 1, 1>, float, weft::key, int> {};

} // namespace char_lm
