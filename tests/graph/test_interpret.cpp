// SPDX-License-Identifier: BSL-1.0
// Every op of the table against values computed by hand; the same code in constant evaluation.
#include "dense_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace test;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
using floats = std::initializer_list<float>;

constexpr bf16 half(float x) { return bf16(x); }

// ---- in constant evaluation
static_assert(apply(op::add, {vector({1.5f, -2.0f}), vector({2.0f, 0.25f})}) ==
              vector({3.5f, -1.75f}));
static_assert(apply(op::div, {vector({7, 7, lowest}), vector({0, -2, -1})}) ==
              vector({-1, -3, lowest}));
static_assert(node_value(op::reduce_sum, dtype::f32, {}, {vector({1.0f, 2.0f, 4.0f})}, {1}) ==
              scalar_value(7.0f));
static_assert(node_value(op::transpose, dtype::i32, dims({3, 2}),
                         {array({2, 3}, {1, 2, 3, 4, 5, 6})},
                         {1, 0}) == array({3, 2}, {1, 4, 2, 5, 3, 6}));
static_assert([] { // carry' = carry + x, y = carry: the sums before each element
  recorder r;
  handle c = r.input(dtype::i32, {}, {0, 0, false}),
         xs = r.input(dtype::i32, dims({3}), {1, 0, false});
  int const body = r.begin_body();
  handle carry = r.parameter(dtype::i32, {}), x = r.parameter(dtype::i32, {});
  handle outs[] = {carry + x, carry};
  r.end_body(body, {outs, 2});
  handle operands[] = {c, xs};
  handle s = r.emit(op::scan, dtype::i32, {}, {operands, 2}, encode(loop{1, 1, 1, 3, false}), body);
  r.set_owner(body, s.id);
  handle results[] = {get(s, 0, dtype::i32, {}), get(s, 1, dtype::i32, dims({3}))};
  r.finish({results, 2});
  growing<dense> const out = interpret(r.result, arrays(scalar_value(10), vector({1, 2, 4})));
  return out[0] == scalar_value(17) && out[1] == vector({10, 11, 13});
}());

// ---- elementwise
TEST(interpret, float_arithmetic) {
  dense const a = vector({3.0f, -0.0f, inf, 1e-45f}), b = vector({2.0f, 0.0f, -inf, 1.0f});
  EXPECT_EQ(apply(op::sub, {a, b}), vector({1.0f, -0.0f, inf, -1.0f}));
  EXPECT_EQ(apply(op::mul, {a, b}), vector({6.0f, -0.0f, -inf, 1e-45f}));
  EXPECT_EQ(apply(op::div, {vector({1.0f, -1.0f, 6.0f}), vector({0.0f, 0.0f, 4.0f})}),
            vector({inf, -inf, 1.5f}));
  EXPECT_EQ(apply(op::neg, {a}), vector({-3.0f, 0.0f, -inf, -1e-45f}));
  EXPECT_EQ(apply(op::abs, {vector({-3.0f, -0.0f, -inf})}), vector({3.0f, 0.0f, inf}));
  // 1 + 2^-24 squared keeps its last bit only if it is fused.
  dense const x = vector({0x1.000002p+0f}), c = vector({-0x1.000004p+0f});
  EXPECT_EQ(apply(op::fma, {x, x, c}), vector({0x1p-46f}));
  EXPECT_EQ(apply(op::add, {apply(op::mul, {x, x}), c}), vector({0.0f}));
}
TEST(interpret, elementary_functions) {
  EXPECT_EQ(apply(op::sqrt, {vector({9.0f, 2.0f, -0.0f})}), vector({3.0f, std::sqrt(2.0f), -0.0f}));
  EXPECT_EQ(apply(op::exp, {vector({0.0f, -inf, 100.0f})}), vector({1.0f, 0.0f, inf}));
  EXPECT_EQ(apply(op::log, {vector({1.0f, 0.0f, inf})}), vector({0.0f, -inf, inf}));
  EXPECT_EQ(apply(op::tanh, {vector({0.0f, -0.0f, 50.0f})}), vector({0.0f, -0.0f, 1.0f}));
  EXPECT_EQ(apply(op::sigmoid, {vector({0.0f, -inf, inf})}), vector({0.5f, 0.0f, 1.0f}));
}
TEST(interpret, maximum_and_minimum) {
  dense const a = vector({1.0f, -0.0f, 2.0f}), b = vector({3.0f, 0.0f, -inf});
  EXPECT_EQ(apply(op::maximum, {a, b}), vector({3.0f, 0.0f, 2.0f}));
  EXPECT_EQ(apply(op::minimum, {a, b}), vector({1.0f, -0.0f, -inf}));
  EXPECT_TRUE(
      std::isnan(element_of_word<float>(apply(op::maximum, {vector({nan}), vector({1.0f})})[0])));
  EXPECT_TRUE(
      std::isnan(element_of_word<float>(apply(op::minimum, {vector({1.0f}), vector({nan})})[0])));
  EXPECT_EQ(apply(op::maximum, {vector({true, false}), vector({false, false})}),
            vector({true, false}));
}
TEST(interpret, comparisons) {
  dense const a = vector({1.0f, nan, -0.0f}), b = vector({2.0f, nan, 0.0f});
  auto compare = [&](op o) { return apply(o, dtype::boolean, {a, b}); };
  EXPECT_EQ(compare(op::equal), vector({false, false, true}));
  EXPECT_EQ(compare(op::not_equal), vector({true, true, false}));
  EXPECT_EQ(compare(op::less), vector({true, false, false}));
  EXPECT_EQ(compare(op::less_equal), vector({true, false, true}));
  EXPECT_EQ(compare(op::greater), vector({false, false, false}));
  EXPECT_EQ(compare(op::greater_equal), vector({false, false, true}));
  EXPECT_EQ(apply(op::less, dtype::boolean, {vector({-1}), vector({1})}), vector({true}));
  EXPECT_EQ(apply(op::less, dtype::boolean, {vector({0xffffffffu}), vector({1u})}),
            vector({false}));
}
TEST(interpret, select_moves_bits) {
  dense const p = vector({true, false});
  EXPECT_EQ(apply(op::select, {p, vector({1, 2}), vector({3, 4})}), vector({1, 4}));
  dense x(dtype::bf16, dims({2})), y = x;
  x[0] = 0x7f81, y[1] = 0xff81; // signalling NaNs stay as they are
  dense const chosen = apply(op::select, {p, x, y});
  EXPECT_EQ(chosen[0], 0x7f81u);
  EXPECT_EQ(chosen[1], 0xff81u);
}
TEST(interpret, integers_and_bits) {
  EXPECT_EQ(apply(op::add, {vector({highest}), vector({1})}), vector({lowest}));
  EXPECT_EQ(apply(op::div, {vector({7u}), vector({0u})}), vector({0xffffffffu}));
  EXPECT_EQ(apply(op::abs, {vector({lowest, -5})}), vector({lowest, 5}));
  dense const a = vector({12, -1}), b = vector({10, 5});
  EXPECT_EQ(apply(op::bit_and, {a, b}), vector({8, 5}));
  EXPECT_EQ(apply(op::bit_or, {a, b}), vector({14, -1}));
  EXPECT_EQ(apply(op::bit_xor, {a, b}), vector({6, -6}));
  EXPECT_EQ(apply(op::bit_not, {a}), vector({-13, 0}));
  EXPECT_EQ(apply(op::bit_not, {vector({true, false})}), vector({false, true}));
  dense const x = vector({-8, -8, 1}), n = vector({1, 32, -1});
  EXPECT_EQ(apply(op::shift_left, {x, n}), vector({-16, 0, 0}));
  EXPECT_EQ(apply(op::shift_right_logical, {x, n}), vector({0x7ffffffc, 0, 0}));
  EXPECT_EQ(apply(op::shift_right_arithmetic, {x, n}), vector({-4, -1, 0}));
}
TEST(interpret, conversions) {
  dense const x = vector({2.9f, -2.9f, nan, 1e20f, -1e20f});
  EXPECT_EQ(apply(op::convert, dtype::i32, {x}), vector({2, -2, 0, highest, lowest}));
  EXPECT_EQ(apply(op::convert, dtype::u32, {x}), vector({2u, 0u, 0u, 0xffffffffu, 0u}));
  EXPECT_EQ(apply(op::convert, dtype::boolean, {vector({0.0f, -0.0f, nan})}),
            vector({false, false, true}));
  EXPECT_EQ(apply(op::convert, dtype::f32, {vector({true, false})}), vector({1.0f, 0.0f}));
  EXPECT_EQ(apply(op::convert, dtype::bf16, {vector({1.00390625f, 1.01171875f})}), // ties to even
            vector({half(1.0f), half(1.015625f)}));
  EXPECT_EQ(apply(op::convert, dtype::f32, {vector({half(1.5f)})}), vector({1.5f}));
  EXPECT_EQ(apply(op::bitcast, dtype::u32, {vector({1.0f, std::bit_cast<float>(0xffc12345u)})}),
            vector({0x3f800000u, 0x7fc00000u}));
  EXPECT_EQ(apply(op::bitcast, dtype::f32, {vector({0x40000000u})}), vector({2.0f}));
  EXPECT_EQ(apply(op::stop_gradient, {x}).words[0], x.words[0]);
}
TEST(interpret, bf16_rounds_after_every_node) {
  dense const one = vector({half(1.0f)}), small = vector({half(0x1p-8f)}); // 1 + 2^-8 is a tie
  dense const once = apply(op::add, {one, small});
  EXPECT_EQ(once, one);
  EXPECT_EQ(apply(op::add, {once, small}), one);
  EXPECT_EQ(apply(op::fma, {small, vector({half(2.0f)}), one}), vector({half(1.0078125f)}));
}
TEST(interpret, threefry_known_answer) { // Random123's kat_vectors, threefry 2x32, 20 rounds
  auto draw = [](unsigned key0, unsigned key1, unsigned c0, unsigned c1, int which) {
    return value_of({vector({key0}), vector({key1}), vector({c0}), vector({c1})},
                    [&](recorder& r, view<handle> x) {
                      handle both = r.emit(op::threefry2x32, dtype::u32, dims({1}), x);
                      return get(both, which, dtype::u32, dims({1}));
                    })[0];
  };
  EXPECT_EQ(draw(0, 0, 0, 0, 0), 0x6b200159u);
  EXPECT_EQ(draw(0, 0, 0, 0, 1), 0x99ba4efeu);
  EXPECT_EQ(draw(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0), 0xc4923a9cu);
  EXPECT_EQ(draw(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 1), 0x483df7a0u);
}

// ---- sources
TEST(interpret, sources) {
  EXPECT_EQ(node_value(op::constant, dtype::f32, dims({2}), {}, {0x3f800000}),
            vector({1.0f, 1.0f}));
  EXPECT_EQ(node_value(op::iota, dtype::i32, dims({2, 3}), {}, {1}),
            array({2, 3}, {0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(node_value(op::iota, dtype::f32, dims({2, 2}), {}, {0}),
            array({2, 2}, {0.0f, 0.0f, 1.0f, 1.0f}));
  EXPECT_EQ(node_value(op::iota, dtype::bf16, dims({260}), {}, {0})[259], half(260.0f).bits);
  dense const table = value_of({}, [](recorder& r, view<handle>) {
    for (word w : {9u, 5u, 7u}) r.result.constants.push(w);
    extent const from[] = {1, 0};
    return r.emit(op::constant, dtype::i32, dims({2}), {}, {from, 2});
  });
  EXPECT_EQ(table, vector({5, 7}));
}

// ---- movement
TEST(interpret, views) {
  dense const x = array({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(node_value(op::broadcast, dtype::i32, dims({2, 2}), {vector({1, 2})}, {0}),
            array({2, 2}, {1, 1, 2, 2}));
  EXPECT_EQ(node_value(op::broadcast, dtype::i32, dims({2, 2}), {array({1, 2}, {1, 2})}, {0, 1}),
            array({2, 2}, {1, 2, 1, 2}));
  EXPECT_EQ(node_value(op::reshape, dtype::i32, dims({3, 2}), {x}),
            array({3, 2}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(node_value(op::slice, dtype::i32, dims({1, 2}), {x}, {1, 0, 2, 3, 1, 2}),
            array({1, 2}, {4, 6}));
  EXPECT_EQ(node_value(op::reverse, dtype::i32, dims({2, 3}), {x}, {2}),
            array({2, 3}, {3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(node_value(op::transpose, dtype::i32, dims({2, 1, 2}), {array({1, 2, 2}, {1, 2, 3, 4})},
                       {2, 0, 1}),
            array({2, 1, 2}, {1, 3, 2, 4}));
}
TEST(interpret, pad_crops_and_spreads) {
  dense const x = vector({1, 2, 3}), filler = scalar_value(9);
  EXPECT_EQ(node_value(op::pad, dtype::i32, dims({8}), {x, filler}, {1, 2, 1}),
            vector({9, 1, 9, 2, 9, 3, 9, 9}));
  EXPECT_EQ(node_value(op::pad, dtype::i32, dims({2}), {x, filler}, {-1, 0, 0}), vector({2, 3}));
  EXPECT_EQ(node_value(op::pad, dtype::i32, dims({4}), {x, filler}, {-1, 0, 1}),
            vector({9, 2, 9, 3}));
  EXPECT_EQ(
      node_value(op::pad, dtype::i32, dims({2}), {dense(dtype::i32, dims({0})), filler}, {1, 1, 3}),
      vector({9, 9}));
}
TEST(interpret, concat_and_windows) {
  EXPECT_EQ(node_value(op::concat, dtype::i32, dims({2, 3}),
                       {array({2, 1}, {1, 2}), array({2, 2}, {3, 4, 5, 6})}, {1}),
            array({2, 3}, {1, 3, 4, 2, 5, 6}));
  dense const x = vector({1, 2, 3, 4});
  auto window = [&](int start) {
    return node_value(op::dynamic_slice, dtype::i32, dims({2}), {x, scalar_value(start)});
  };
  EXPECT_EQ(window(1), vector({2, 3}));
  EXPECT_EQ(window(-5), vector({1, 2}));
  EXPECT_EQ(window(highest), vector({3, 4}));
  auto update = [&](int start) {
    return node_value(op::dynamic_update_slice, dtype::i32, dims({4}),
                      {x, vector({8, 9}), scalar_value(start)});
  };
  EXPECT_EQ(update(1), vector({1, 8, 9, 4}));
  EXPECT_EQ(update(7), vector({1, 2, 8, 9}));
  EXPECT_EQ(update(-1), vector({8, 9, 3, 4}));
}

} // namespace
