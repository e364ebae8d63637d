// SPDX-License-Identifier: BSL-1.0
// build: alone
// A loop packs the matrices that its products read at every turn, once: which ones, and that every
// bit is the interpreter's, on one thread and on two.
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/typed_graph.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {
using namespace weft;

constexpr int steps = 5, batch = 7, in = 6, hidden = 37;
using matrix = tensor<float, batch, hidden>;
using sequence = tensor<float, steps, batch, in>;
using cell = gru_weights<tensor, in, hidden>;

constexpr auto states = [](auto p, auto h, auto xs) {
  auto body = [&](auto state, auto x) {
    auto next = gru(p, state, x);
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
constexpr auto loss = [](auto p, auto h, auto xs) {
  auto s = states(p, h, xs);
  return mean(s * s);
};
constexpr auto gradients = [](auto p, auto h, auto xs) {
  auto [value, g] = value_and_grad(loss)(p, h, xs);
  return std::tuple(value, g.input, g.hidden, g.input_bias, g.hidden_bias);
};

growing<dense> random_inputs(graph_view g) {
  growing<dense> all;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> between(-1, 1);
  for (int p : g.parameters_of(0)) {
    dense d(g[p].type, g.shape(p));
    for (int i = 0; i < d.size(); ++i) d[i] = word_of(between(random));
    all.push(d);
  }
  return all;
}
// How many are held; every result must be the interpreter's.
int held_in(graph const& g) {
  growing<dense> const inputs = random_inputs(g), wanted = test::meaning_of(g, inputs);
  test::block_runner<cpu::native_target> const blocks(g);
  cpu::serial one;
  cpu::pool two(2, 0);
  EXPECT_TRUE(test::same_bits(blocks.run(inputs, one), wanted));
  EXPECT_TRUE(test::same_bits(blocks.run(inputs, two), wanted));
  return cpu::engine(blocks.code(), {}, 1).held().all().size();
}

TEST(held_operands, of_a_layer_the_matrix_of_its_states) {
  EXPECT_EQ(held_in(program<states, cell, matrix, sequence>::make()), 1); // x W is before the loop
}
TEST(held_operands, of_its_gradient_one_on_the_way_there_and_one_on_the_way_back) {
  EXPECT_EQ(held_in(program<gradients, cell, matrix, sequence>::make()), 2);
}

constexpr auto bf16_loss = autocast<bf16>(loss);
constexpr auto bf16_gradients = [](auto p, auto h, auto xs) {
  auto [value, g] = value_and_grad(bf16_loss)(p, h, xs);
  return std::tuple(value, g.hidden);
};
TEST(held_operands, of_low_precision) {
  int const held = held_in(program<bf16_gradients, cell, matrix, sequence>::make());
  EXPECT_EQ(held, 0); // the block executor widens these first
}

// Products with what a step brings, or of a loop of one step.
constexpr auto products_of_steps = [](auto h, auto ws) {
  auto body = [](auto state, auto w) {
    auto next = einsum<"bi,io->bo">(state, w);
    return std::pair(next, next);
  };
  return scan(body, h, ws).second;
};
TEST(held_operands, not_what_changes) {
  using matrices = tensor<float, 3, hidden, hidden>;
  EXPECT_EQ(held_in(program<products_of_steps, matrix, matrices>::make()), 0);
}
TEST(held_operands, not_for_one_step) {
  EXPECT_EQ(held_in(program<states, cell, matrix, tensor<float, 1, batch, in>>::make()), 0);
}

// The inner loop's matrix is the outer loop's x: packed at every turn of that.
constexpr auto layers = [](auto h, auto ws, auto xs) {
  auto layer = [&](auto state, auto w) {
    auto turn = [&](auto s, auto x) {
      auto next = einsum<"bi,oi->bo">(s, w) + x;
      return std::pair(next, none);
    };
    auto last = scan(turn, state, xs).first;
    return std::pair(last, none);
  };
  return scan(layer, h, ws).first;
};
TEST(held_operands, of_loops_in_loops) {
  using matrices = tensor<float, 3, hidden, hidden>;
  EXPECT_EQ(held_in(program<layers, matrix, matrices, tensor<float, 4, hidden>>::make()), 1);
}

} // namespace
