// SPDX-License-Identifier: BSL-1.0
// build: alone
// Loops whose rows never meet, shared by rows: which ones are, and that every bit is the interpreter's
// on one, two and three threads, whatever the body does to its rows; and loops that look alike, but
// whose rows meet, are not.
#include "cpu/loop_case.hpp"

namespace {

using namespace weft;
using namespace test;

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
constexpr auto of_the_first_row = [](auto h, auto x, auto) { return h * 0.5f + at<"0">(h) * x; };
constexpr auto sum_of_all = [](auto h, auto x, auto) { return h * 0.5f + sum(x * h); };
TEST(shared_loops, not_where_rows_meet) {
  EXPECT_EQ(shared_turns<other_rows>(), 0);
  EXPECT_EQ(shared_turns<next_row>(), 0);
  EXPECT_EQ(shared_turns<of_the_first_row>(), 0);
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

// A network that is trained: both loops; the sums over all rows that the one back carries follow.
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

} // namespace
