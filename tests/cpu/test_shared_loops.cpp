// SPDX-License-Identifier: BSL-1.0
// build: alone
// Loops whose rows never meet, shared by rows: which ones are, and that every bit is the interpreter's
// on one, two and three threads, whatever the body does to its rows; and loops that look alike, but
// whose rows meet, are not.
#include "random/random_source.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/compiled.hpp>
#include <weft/run/typed_graph.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

namespace {
using namespace weft;

constexpr int steps = 6, hidden = 13, in = 6;
template <int Batch> using rows = tensor<float, Batch, hidden>;
template <int Batch> using sequence = tensor<float, steps, Batch, in>;
template <int Batch> using wide_sequence = tensor<float, steps, Batch, hidden>;

// Small numbers, of which nothing grows into infinity, nor all into NaN.
growing<dense> small_inputs(graph_view g) {
  test::random_source rng(3);
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
bool are_finite(growing<dense> const& all) {
  for (dense const& x : all)
    for (word w : x.words)
      if (x.type == dtype::f32 && (w & 0x7f800000) == 0x7f800000) return false;
  return true;
}
// How many loops are shared by rows among three threads; every result must be the interpreter's.
template <class Program> int shared_in() {
  graph const g = Program::make();
  growing<dense> const inputs = small_inputs(g), wanted = test::meaning_of(g, inputs);
  EXPECT_TRUE(are_finite(wanted));
  test::block_runner<cpu::native_target> const blocks(g);
  cpu::serial one;
  cpu::pool two(2, 0), three(3, 0);
  EXPECT_TRUE(test::same_bits(blocks.run(inputs, one), wanted));
  for (int again = 0; again < 5; ++again) {
    EXPECT_TRUE(test::same_bits(blocks.run(inputs, two), wanted));
    EXPECT_TRUE(test::same_bits(blocks.run(inputs, three), wanted));
  }
  growing<extents> shapes;
  for (dense const& x : inputs) shapes.push(x.shape);
  auto const loops = [&](int threads) {
    return cpu::engine(blocks.code(), bind_to(blocks.code().graph, shapes), threads).shared_loops();
  };
  EXPECT_EQ(loops(1), 0);
  return loops(3);
}

using cell = gru_weights<tensor, in, hidden>;
constexpr auto gru_states = [](auto p, auto h, auto xs) {
  auto body = [&](auto state, auto x) {
    auto next = gru(p, state, x);
    return std::pair(next, next);
  };
  return scan(body, h, xs);
};
constexpr auto lstm_states = [](auto p, auto h, auto c, auto xs) {
  auto body = [&](auto state, auto x) {
    auto next = lstm(p, state.first, state.second, x);
    return std::pair(next, next.first);
  };
  return scan(body, std::pair(h, c), xs);
};
TEST(shared_loops, of_recurrent_layers) {
  EXPECT_EQ((shared_in<program<gru_states, cell, rows<2>, sequence<2>>>()), 1);
  EXPECT_EQ((shared_in<program<gru_states, cell, rows<7>, sequence<7>>>()), 1);
  EXPECT_EQ((shared_in<program<gru_states, cell, rows<13>, sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<lstm_states, lstm_weights<tensor, in, hidden>, rows<13>, rows<13>,
                               sequence<13>>>()),
            1);
  EXPECT_EQ((shared_in<program<gru_states, cell, rows<1>, sequence<1>>>()), 0); // one row
}
constexpr auto low_gru = autocast<bf16>(gru_states);
TEST(shared_loops, of_low_precision) {
  EXPECT_EQ((shared_in<program<low_gru, cell, rows<13>, sequence<13>>>()), 1);
}

// What a turn does to a row, by the carry, what the step brings, and a matrix.
template <auto Next>
constexpr auto turns = [](auto h, auto xs, auto w) {
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
constexpr auto row_softmax = [](auto h, auto x, auto) { return softmax<1>(h + x); };
constexpr auto row_moments = [](auto h, auto x, auto) {
  return (h - expand_dims<1>(mean<1>(h * x))) * expand_dims<1>(max<1>(x)) + 0.5f;
};
constexpr auto row_backwards = [](auto h, auto x, auto) { return flip<1>(h) * 0.5f + x; };
constexpr auto of_both_kinds = [](auto h, auto x, auto w) {
  auto y = einsum<"bi,io->bo">(h, w);
  return einsum<"bi,oi->bo">(tanh(y) + x, w) * 0.1f + y;
};
// A matrix of its own per row; sums over axes that are not the last one.
constexpr auto row_matrices = [](auto h, auto x, auto w) {
  auto outer = einsum<"bi,bj->bij">(h, x);
  return sum<1>(outer) + einsum<"bij,bj->bi">(outer, x) + sum<0>(w);
};
constexpr auto row_attention = [](auto h, auto x, auto w) {
  auto keys = einsum<"bi,ij->bij">(h, w);
  auto scores = softmax<1>(einsum<"bij,bj->bi">(keys, x));
  return einsum<"bi,bij->bj">(scores, keys);
};
constexpr auto beside_each_other = [](auto h, auto x, auto w) {
  auto both = concatenate<1>(h, x, h * x);
  return tanh(einsum<"bi,io->bo">(at<":, 5:18">(both), w)) + at<":, 20:33">(both);
};
constexpr auto with_a_margin = [](auto h, auto x, auto w) {
  auto wide = pad<1, padding{.low = 2, .high = 3}>(h * x, 0.5f);
  return at<":, 0:13">(wide) + einsum<"bi,io->bo">(at<":, 5:18">(wide), w);
};
constexpr auto of_two_orders = [](auto h, auto x, auto) {
  return h * 0.5f + at<":, 5:18">(concatenate<1>(x, transpose(x)));
};
constexpr auto from_a_start = [](auto h, auto x, auto w) {
  return tanh(einsum<"bi,io->bo">(x, w) + h) - einsum<"bi,oi->bo">(h, w);
};
constexpr auto of_many_widths = [](auto h, auto x, auto w) {
  auto wide = concatenate<1>(einsum<"bi,io->bo">(h, w), x, einsum<"bi,oi->bo">(h, w));
  auto narrow = softmax<1>(at<":, 20:25">(wide));
  auto back = einsum<"bi,ij->bj">(concatenate<1>(narrow, at<":, 3:11">(wide)), w);
  return einsum<"bi,io->bo">(tanh(back), w) + expand_dims<1>(max<1>(wide)) * 0.1f;
};
TEST(shared_loops, whatever_a_turn_does_to_a_row) {
  EXPECT_EQ(shared_turns<from_a_start>(), 1);
  EXPECT_EQ(shared_turns<of_many_widths>(), 1);
  EXPECT_EQ((shared_turns<of_many_widths, 3>()), 1);
  EXPECT_EQ((shared_turns<row_moments, 2>()), 1);
  EXPECT_EQ(shared_turns<beside_each_other>(), 1);
  EXPECT_EQ((shared_turns<beside_each_other, 6>()), 1);
  EXPECT_EQ(shared_turns<with_a_margin>(), 1);
  EXPECT_EQ(shared_turns<row_softmax>(), 1);
  EXPECT_EQ(shared_turns<row_moments>(), 1);
  EXPECT_EQ(shared_turns<row_backwards>(), 1);
  EXPECT_EQ(shared_turns<of_both_kinds>(), 1);
  EXPECT_EQ((shared_turns<of_both_kinds, 33>()), 1);
  EXPECT_EQ(shared_turns<row_matrices>(), 1);
  EXPECT_EQ(shared_turns<row_attention>(), 1);
}

constexpr auto other_rows = [](auto h, auto x, auto) { return flip<0>(h) * 0.5f + x; };
constexpr auto next_row = [](auto h, auto x, auto) { return roll<1, 0>(h) * 0.5f + x; };
constexpr auto below_each_other = [](auto h, auto x, auto) {
  auto both = concatenate<0>(h, x);
  return at<"1:14">(both) * 0.5f;
};
constexpr auto batch_norm = [](auto h, auto x, auto) { return h - mean<0>(h) + x; };
constexpr auto rows_as_columns = [](auto h, auto x, auto) { return transpose(h) * 0.5f + x; };
constexpr auto row_by_row = [](auto h, auto x, auto) {
  return einsum<"bi,ci,cj->bj">(h, x, h) * 0.1f + x;
};
constexpr auto matrix_of_turn = [](auto h, auto x, auto) {
  return einsum<"bi,io->bo">(h, einsum<"bi,bo->io">(h, x)) * 0.1f;
};
constexpr auto a_row_further = [](auto h, auto x, auto) {
  return pad<0, padding{.low = 1, .high = -1}>(h * x, 0.5f) + x;
};
constexpr auto an_elements_margin = [](auto h, auto x, auto) {
  return h * 0.5f + at<":, 1:14">(pad<1, padding{.low = 2}>(x, at<"0, 0">(x)));
};
constexpr auto sum_of_all = [](auto h, auto x, auto) { return h * 0.5f + sum(x * h); };
TEST(shared_loops, not_where_rows_meet) {
  EXPECT_EQ(shared_turns<other_rows>(), 0);
  EXPECT_EQ(shared_turns<next_row>(), 0);
  EXPECT_EQ(shared_turns<below_each_other>(), 0);
  EXPECT_EQ(shared_turns<a_row_further>(), 0);
  EXPECT_EQ(shared_turns<an_elements_margin>(), 0); // whose filler is the first row's
  EXPECT_EQ(shared_turns<of_two_orders>(), 0);      // rows of one array at two distances
  EXPECT_EQ(shared_turns<batch_norm>(), 0);
  EXPECT_EQ(shared_turns<rows_as_columns>(), 0); // as many rows as columns
  EXPECT_EQ(shared_turns<row_by_row>(), 0);
  EXPECT_EQ(shared_turns<matrix_of_turn>(), 0);
  EXPECT_EQ(shared_turns<sum_of_all>(), 0);
}

// What a loop does with its values: backwards; ys that are views of a carry, what the step brought, or
// a constant's; a carry that is no y; two of them; none.
constexpr auto backwards = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = tanh(state + x);
    return std::pair(next, std::tuple(flip<1>(next), x, reshape<13, 13, 1>(next), next));
  };
  return scan<scan_options{.reverse = true}>(body, h, xs);
};
constexpr auto two_carries = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, b] = state;
    return std::pair(std::pair(b * 0.5f + x, a), none);
  };
  return scan(body, std::pair(h, h + 1.0f), xs).first;
};
constexpr auto no_carry = [](auto h, auto xs) {
  return map([&](auto x) { return tanh(x) * h; }, xs);
};
constexpr auto row_numbers = [](auto h, auto xs) { // carries of one number a row
  auto body = [](auto state, auto x) {
    auto next = state + max<1>(x);
    return std::pair(next, next * 2.0f);
  };
  return scan(body, sum<1>(h), xs);
};
TEST(shared_loops, whatever_the_loop_does_with_its_values) {
  EXPECT_EQ((shared_in<program<backwards, rows<13>, wide_sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<two_carries, rows<13>, wide_sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<no_carry, rows<13>, wide_sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<row_numbers, rows<13>, wide_sequence<13>>>()), 1);
}

// Sums over all rows follow turn by turn, if what they read is a y; nothing that a row reads does.
constexpr auto total_of_ys = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(a + x);
    auto both = concatenate<1>(next, x); // in memory: else next is computed where it is summed
    auto total = n * 0.5f + sum(both);
    return std::pair(std::pair(next, total), std::tuple(both, total, n));
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
constexpr auto total_of_carries = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    return std::pair(std::pair(tanh(a + x), n + sum(a)), none);
  };
  return scan(body, std::pair(h, sum(h)), xs).first;
};
constexpr auto read_total = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(a + x) + n;
    return std::pair(std::pair(next, n * 0.5f + sum(next)), next);
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
// What a carry was is gone; a y of it is a copy that rows make.
constexpr auto total_of_a_carry = [](auto h, auto xs, auto w) {
  auto body = [=](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(tanh(einsum<"bi,io->bo">(a, w) + x));
    return std::pair(std::pair(next, n * 0.5f + sum(a)), a);
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
constexpr auto ys_of_a_carry = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    return std::pair(tanh(state + x), std::tuple(state, flip<0>(state)));
  };
  return scan(body, h, xs);
};
constexpr auto from_a_total = [](auto h, auto xs, auto w) { // a product goes on from the rest's
  auto body = [=](auto state, auto x) {
    auto [a, n] = state;
    auto next = einsum<"bi,io->bo">(a, w) * 0.1f + n;
    return std::pair(std::pair(next, flip<0>(n)), std::pair(next, x));
  };
  return scan(body, std::pair(h, h * 0.5f), xs);
};
TEST(shared_loops, with_sums_over_all_rows_behind) {
  using matrix = tensor<float, hidden, hidden>;
  EXPECT_EQ((shared_in<program<total_of_a_carry, rows<13>, wide_sequence<13>, matrix>>()), 0);
  EXPECT_EQ((shared_in<program<ys_of_a_carry, rows<13>, wide_sequence<13>>>()), 0);
  EXPECT_EQ((shared_in<program<from_a_total, rows<13>, wide_sequence<13>, matrix>>()), 0);
  EXPECT_EQ((shared_in<program<total_of_ys, rows<13>, wide_sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<total_of_carries, rows<13>, wide_sequence<13>>>()), 0);
  EXPECT_EQ((shared_in<program<read_total, rows<13>, wide_sequence<13>>>()), 0);
}

// A network that is trained: both loops; the sums over all rows that the one back carries follow.
constexpr auto loss = [](auto p, auto h, auto xs) {
  auto s = gru_states(p, h, xs).second;
  return mean(s * s);
};
constexpr auto training = [](auto p, auto h, auto xs) {
  auto [value, g] = value_and_grad(loss)(p, h, xs);
  return std::tuple(value, g.input, g.hidden, g.input_bias, g.hidden_bias);
};
// Layers of states: the loop over time inside of the one over layers.
constexpr auto layers = [](auto h, auto ws, auto xs) {
  auto layer = [&](auto state, auto w) {
    auto turn = [&](auto s, auto x) {
      auto next = tanh(einsum<"bi,oi->bo">(s, w) + x);
      return std::pair(next, next);
    };
    auto [last, all] = scan(turn, state, xs);
    return std::pair(last, all);
  };
  return scan(layer, h, ws);
};
// Rows behind an axis of 1; a batch whose size has a name; groups that walk long rows together.
constexpr auto plain_turns = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = softmax<-1>(state + x);
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
TEST(shared_loops, of_other_shapes) {
  constexpr sym batch{"batch"};
  EXPECT_EQ(
      (shared_in<program<plain_turns, tensor<float, 1, 13, 5>, tensor<float, 4, 1, 13, 5>>>()), 1);
  EXPECT_EQ(
      (shared_in<program<plain_turns, tensor<float, 13, 1, 5>, tensor<float, 4, 13, 1, 5>>>()), 1);
  EXPECT_EQ((shared_in<program<gru_states, cell, tensor<float, batch, hidden>,
                               tensor<float, steps, batch, in>>>()),
            1);
  EXPECT_EQ(
      (shared_in<program<plain_turns, tensor<float, 350, 100>, tensor<float, 4, 350, 100>>>()),
      0); // (cpu/row_steps.hpp)
}

TEST(shared_loops, among_other_loops) {
  EXPECT_EQ((shared_in<program<training, cell, rows<13>, sequence<13>>>()), 2);
  EXPECT_EQ(
      (shared_in<program<layers, rows<13>, tensor<float, 3, hidden, hidden>, wide_sequence<13>>>()),
      1);
}

// Values of a body that threads are at different steps of lie apart; so does its steps' scratch.
TEST(shared_loops, memory) {
  test::block_runner<cpu::native_target> const blocks(
      program<turns<of_many_widths>, rows<13>, wide_sequence<13>,
              tensor<float, hidden, hidden>>::make());
  cpu::engine const e(blocks.code(), {}, 3);
  graph_view const g = e.bound();
  struct bytes {
    extent first, last;
  };
  growing<bytes> all;
  for (int id = 0; id < g.size(); ++id)
    if (extent const at = e.memory().offset[id]; g[id].region == 1 && at >= 0)
      all.push({at, at + bytes_of(g, id)});
  for (int s = e.plan().first_step[1]; s < e.plan().first_step[2]; ++s) {
    step_memory const& m = e.memory().steps[s];
    if (m.scratch_bytes > 0) all.push({m.scratch, m.scratch + m.scratch_bytes});
  }
  EXPECT_GT(all.size(), 4);
  for (int i = 0; i < all.size(); ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_TRUE(all[i].last <= all[j].first || all[j].last <= all[i].first);
}

// Products of at least 4,096 elements tell of them as they are finished.
constexpr auto tanh_layer = [](auto h, auto x, auto w) {
  return tanh(einsum<"bi,io->bo">(h, w) + x);
};
TEST(shared_loops, with_epilogues) {
  using state = tensor<float, 64, 96>;
  using layer =
      program<turns<tanh_layer>, state, tensor<float, steps, 64, 96>, tensor<float, 96, 96>>;
  EXPECT_EQ(shared_in<layer>(), 1);
  test::block_runner<cpu::native_target> const blocks(layer::make());
  cpu::engine const e(blocks.code(), {}, 3);
  int epilogues = 0;
  for (int s = e.plan().first_step[1]; s < e.plan().first_step[2]; ++s)
    epilogues += e.epilogues().of(s) != nullptr;
  EXPECT_EQ(epilogues, 1);
}

// Products that are made for their form, all of it: many small ones, a batch and a matrix's rows.
constexpr auto small_products = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = tanh(einsum<"bij,bjk->bik">(state, x));
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
constexpr auto small_rows = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = tanh(einsum<"bgi,gio->bgo">(state, x));
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
template <auto F, class State, class Steps> void expect_same() {
  auto const some = [](auto x) {
    auto view = x.mutate();
    for (int i = 0; i < x.size(); ++i) view.data()[i] = 0.01f * static_cast<float>(i * 37 % 101);
    return x;
  };
  compiled<F, policy::reproducible, State, Steps> alone(1), shared(3);
  cpu::pool three(3, 0);
  auto const h = some(State());
  auto const xs = some(Steps());
  auto const wanted = alone(h, xs);
  for (int again = 0; again < 5; ++again) EXPECT_TRUE(shared(three, h, xs) == wanted);
}
TEST(shared_loops, of_fixed_products) {
  expect_same<small_products, tensor<float, 16, 5, 5>, tensor<float, 4, 16, 5, 5>>();
  expect_same<small_rows, tensor<float, 16, 8, 5>, tensor<float, 4, 8, 5, 5>>();
  expect_same<plain_turns, tensor<float, 16, 5>, tensor<float, 4, 16, 5>>();
}

// A compiled program, run again and again, with held matrices.
template <int Batch, int Hidden> void expect_same_training() {
  auto const some = [](auto x, float by) {
    auto view = x.mutate();
    for (int i = 0; i < x.size(); ++i) view.data()[i] = by * static_cast<float>(i * 37 % 101 - 50);
    return x;
  };
  using weights = gru_weights<tensor, in, Hidden>;
  using state = tensor<float, Batch, Hidden>;
  weights const p{some(tensor<float, 3 * Hidden, in>(), 0.002f),
                  some(tensor<float, 3 * Hidden, Hidden>(), 0.001f),
                  some(tensor<float, 3 * Hidden>(), 0.002f),
                  some(tensor<float, 3 * Hidden>(), 0.003f)};
  auto const h = some(state(), 0.02f);
  auto const xs = some(sequence<Batch>(), 0.02f);
  compiled<training, policy::reproducible, weights, state, sequence<Batch>> alone(1), shared(3);
  auto const wanted = alone(p, h, xs);
  cpu::pool three(3, 0);
  for (int again = 0; again < 20; ++again) {
    auto const& got = shared(three, p, h, xs);
    EXPECT_TRUE(std::get<2>(got) == std::get<2>(wanted));
    EXPECT_TRUE(std::get<4>(got) == std::get<4>(wanted));
    EXPECT_EQ(std::get<0>(got)(), std::get<0>(wanted)());
  }
}
TEST(shared_loops, compiled) {
  expect_same_training<24, hidden>();
  expect_same_training<64, 96>();
}

} // namespace
