// SPDX-License-Identifier: BSL-1.0
// Loops for the tests of cpu/shared_loops.hpp: how many of a program's are shared by rows, each of whose
// results must be the interpreter's bit for bit; and bodies that several tests use.
#pragma once

#include "graph/dense_values.hpp"
#include "random/random_source.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/typed_graph.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace test {

using namespace weft;

inline constexpr int steps = 6, hidden = 13, in = 6;
template <int Batch> using rows = tensor<float, Batch, hidden>;
template <int Batch> using sequence = tensor<float, steps, Batch, in>;
template <int Batch> using wide_sequence = tensor<float, steps, Batch, hidden>;

// Small numbers, of which nothing grows into infinity, nor all into NaN.
inline growing<dense> small_inputs(graph_view g) {
  random_source rng(3);
  growing<weft::binding> numbers;
  for (extent name : names_of(g)) numbers.push({name, 9});
  growing<dense> all;
  for (int p : g.parameters_of(0)) {
    extents shape = g.shape(p);
    for (int i = 0; i < shape.rank; ++i) shape[i] = bound(shape[i], numbers);
    dense x(g[p].type, shape);
    for (word& w : x.words) w = word_of(static_cast<float>(rng.between(-99, 99)) / 256.0f);
    all.push(x);
  }
  return all;
}
inline bool are_finite(growing<dense> const& all) {
  for (dense const& x : all)
    for (word w : x.words)
      if (x.type == dtype::f32 && (w & 0x7f800000) == 0x7f800000) return false;
  return true;
}
// Three threads that begin together and take every third task, so that tasks run at the same time
// however short they are.
struct three_at_once {
  static constexpr int threads() { return 3; }
  static constexpr extent least_work() { return 0; }
  template <class Function> void parallel_for(int tasks, Function&& f) const {
    std::atomic<int> waiting(threads());
    auto const some = [&](int worker) {
      for (--waiting; waiting > 0;) std::this_thread::yield();
      for (int t = worker; t < tasks; t += threads()) f(t, worker);
    };
    std::thread second(some, 1), third(some, 2);
    some(0);
    second.join();
    third.join();
  }
};
// How many loops are shared by rows among three threads; every result must be the interpreter's.
inline int shared_in(graph const& g, bool ready = false) {
  growing<dense> const inputs = small_inputs(g), wanted = meaning_of(g, inputs);
  EXPECT_TRUE(are_finite(wanted));
  block_runner<cpu::native_target> const blocks(g, ready);
  cpu::serial one;
  cpu::pool two(2, 0), three(3, 0);
  three_at_once const at_once;
  EXPECT_TRUE(same_bits(blocks.run(inputs, one), wanted));
  for (int again = 0; again < 5; ++again) {
    EXPECT_TRUE(same_bits(blocks.run(inputs, two), wanted));
    EXPECT_TRUE(same_bits(blocks.run(inputs, three), wanted));
    EXPECT_TRUE(same_bits(blocks.run(inputs, at_once), wanted));
  }
  growing<extents> shapes;
  for (dense const& x : inputs) shapes.push(x.shape);
  auto const loops = [&](int threads) {
    return cpu::engine(blocks.code(), bind_to(blocks.code().graph, shapes), threads).shared_loops();
  };
  EXPECT_EQ(loops(1), 0);
  return loops(3);
}
template <class Program> int shared_in() { return shared_in(Program::make()); }

using cell = gru_weights<tensor, in, hidden>;
inline constexpr auto gru_states = [](auto p, auto h, auto xs) {
  auto body = [&](auto state, auto x) {
    auto next = gru(p, state, x);
    return std::pair(next, next);
  };
  return scan(body, h, xs);
};
inline constexpr auto lstm_states = [](auto p, auto h, auto c, auto xs) {
  auto body = [&](auto state, auto x) {
    auto next = lstm(p, state.first, state.second, x);
    return std::pair(next, next.first);
  };
  return scan(body, std::pair(h, c), xs);
};
// What a turn does to a row, by the carry, what the step brings, and a matrix.
template <auto Next>
inline constexpr auto turns = [](auto h, auto xs, auto w) {
  auto body = [&](auto state, auto x) {
    auto next = Next(state, x, w);
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
template <auto Next, int Batch = 13> int shared_turns() {
  return shared_in<
      program<turns<Next>, rows<Batch>, wide_sequence<Batch>, tensor<float, hidden, hidden>>>();
}
inline constexpr auto of_many_widths = [](auto h, auto x, auto w) {
  auto wide = concatenate<1>(einsum<"bi,io->bo">(h, w), x, einsum<"bi,oi->bo">(h, w));
  auto narrow = softmax<1>(at<":, 20:25">(wide));
  auto back = einsum<"bi,ij->bj">(concatenate<1>(narrow, at<":, 3:11">(wide)), w);
  return einsum<"bi,io->bo">(tanh(back), w) + expand_dims<1>(max<1>(wide)) * 0.1f;
};
inline constexpr auto plain_turns = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = softmax<-1>(state + x);
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
inline constexpr auto loss = [](auto p, auto h, auto xs) {
  auto s = gru_states(p, h, xs).second;
  return mean(s * s);
};
inline constexpr auto training = [](auto p, auto h, auto xs) {
  auto [value, g] = value_and_grad(loss)(p, h, xs);
  return std::tuple(value, g.input, g.hidden, g.input_bias, g.hidden_bias);
};
} // namespace test
