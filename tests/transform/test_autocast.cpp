// SPDX-License-Identifier: BSL-1.0
// autocast: types by policy, as PyTorch's; and the same bits as casting by hand.
#include "pass/sample.hpp"
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/transform/autocast.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

constexpr graph low(unary_function f, dtype d = dtype::f32) {
  return autocast(recorded(f, d), dtype::bf16);
}
constexpr dtype type_of(graph_view g, op code) { return g[find(g, code)].type; }
constexpr dtype output_type(graph_view g) { return g[g.outputs_of(0)[0]].type; }
constexpr bool is_sound(graph_view g) { return !verify(g); }

constexpr unary_function square_of = [](recorder&, handle x) { return product(x, x); };
constexpr unary_function exp_of_product = [](recorder&, handle x) {
  return unary(op::exp, product(x, x));
};
constexpr unary_function tanh_of_product = [](recorder&, handle x) {
  return unary(op::tanh, product(x, x));
};
constexpr unary_function sum_of_product = [](recorder&, handle x) {
  return reduce(op::reduce_sum, product(x, x), 1);
};
constexpr unary_function product_and_x = [](recorder&, handle x) { return product(x, x) * x; };
constexpr unary_function scaled_product = [](recorder& r, handle x) {
  handle y = product(x, x);
  return y * broadcast(constant(r, 0.1, dtype::f32, {}), y.shape(), {});
};
constexpr unary_function low_product = [](recorder&, handle x) {
  return convert(product(x, x), dtype::bf16);
};
constexpr unary_function sign_of_product = [](recorder& r, handle x) {
  handle y = product(x, x);
  return select(less(y, constant(r, 0, dtype::f32, y.shape())), -y, y);
};

// low: operands rounded once, shared; the declared type comes back at the output.
static_assert(type_of(low(square_of), op::contract) == dtype::bf16);
static_assert(output_type(low(square_of)) == dtype::f32 && count(low(square_of), op::convert) == 2);
// convert<bf16>(product) is the product.
static_assert(output_type(low(low_product)) == dtype::bf16 &&
              count(low(low_product), op::convert) == 1);
// full: exp and sums run in float; follow: tanh runs in what it is given.
static_assert(type_of(low(exp_of_product), op::exp) == dtype::f32);
static_assert(type_of(low(sum_of_product), op::reduce_sum) == dtype::f32);
static_assert(type_of(low(tanh_of_product), op::tanh) == dtype::bf16);
// promote: bf16 with f32 is f32; a number follows.
static_assert(type_of(low(product_and_x), op::mul) == dtype::f32);
static_assert(type_of(low(scaled_product), op::mul) == dtype::bf16);
static_assert(type_of(low(sign_of_product), op::select) == dtype::bf16 &&
              type_of(low(sign_of_product), op::less) == dtype::boolean);
// What is an integer, or was recorded in bf16, stays.
static_assert(count(low(square_of, dtype::i32), op::convert) == 0);
static_assert(count(low(square_of, dtype::bf16), op::convert) == 0);
// Another autocast around it changes nothing.
static_assert(autocast(low(square_of), dtype::bf16).size() == low(square_of).size());
static_assert(is_sound(low(scaled_product)) && is_sound(low(sign_of_product)));

// linear: x, w and bias are rounded to bf16; product and bias add in float, one rounding.
constexpr graph linear(bool by_hand) {
  recorder r;
  handle x = r.input(dtype::f32, four_by_four, {0, 0, false}),
         w = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle b = r.input(dtype::f32, four_by_four, {2, 0, false});
  contraction c = matrix_product();
  c.has_bias = true;
  dtype type = by_hand ? dtype::bf16 : dtype::f32;
  handle y = contract(convert(x, type), convert(w, type), c, type, {}, convert(b, type));
  y = unary(op::exp, convert(unary(op::tanh, y), dtype::f32));
  r.finish({&y, 1});
  return std::move(r.result);
}
static_assert(autocast(linear(false), dtype::bf16).size() == linear(true).size());

// h' = tanh(h U + x U), ys = h': carries and results keep their types, the weight is cast once.
constexpr graph recurrent() {
  recorder r;
  handle u = r.input(dtype::f32, four_by_four, {0, 0, false});
  handle xs = r.input(dtype::f32, {3, {3, 4, 4}}, {1, 0, false});
  handle h0 = r.input(dtype::f32, four_by_four, {2, 0, false});
  handle last = fold_steps(r, h0, xs, [&](handle h, handle x) {
    handle hu = product(h, u);
    return unary(op::tanh, hu + product(x, u));
  });
  r.finish({&last, 1});
  return std::move(r.result);
}
constexpr bool keeps_carries(graph_view g) {
  view<int> parameters = g.parameters_of(1);
  return is_sound(g) && g[parameters[0]].type == dtype::f32 &&
         g[g.outputs_of(1)[0]].type == dtype::f32 && type_of(g, op::tanh) == dtype::bf16 &&
         output_type(g) == dtype::f32;
}
static_assert(keeps_carries(autocast(recurrent(), dtype::bf16)));
// Once optimised: u and x for all steps are cast outside, h and h' inside.
static_assert(count(optimise(autocast(recurrent(), dtype::bf16)), op::convert, 1) == 2);
static_assert(count(optimise(autocast(recurrent(), dtype::bf16)), op::convert, 0) == 2);

// A value made in bf16 outside of a loop is handed in as such.
constexpr graph captured_product() {
  recorder r;
  handle w = r.input(dtype::f32, four_by_four, {0, 0, false});
  handle xs = r.input(dtype::f32, {3, {3, 4, 4}}, {1, 0, false}), y = product(w, w);
  handle last = fold_steps(r, w, xs, [&](handle h, handle x) { return product(h, y) + x; });
  r.finish({&last, 1});
  return std::move(r.result);
}
constexpr bool hands_in_low() {
  graph after = autocast(captured_product(), dtype::bf16);
  graph_view g = after;
  return is_sound(g) && g[g.parameters_of(1)[2]].type == dtype::bf16 &&
         g[g.parameters_of(1)[1]].type == dtype::f32;
}
static_assert(hands_in_low());

TEST(autocast, is_casting_by_hand_bit_for_bit) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    growing<dense> inputs = random_inputs(linear(true), seed);
    growing<dense> expected = test::meaning_of(linear(true), inputs);
    EXPECT_TRUE(same_bits(test::meaning_of(autocast(linear(false), dtype::bf16), inputs), expected))
        << seed;
  }
}
TEST(autocast, rounds_somewhere) {
  growing<dense> inputs = random_inputs(recurrent(), 4);
  EXPECT_FALSE(same_bits(test::meaning_of(autocast(recurrent(), dtype::bf16), inputs),
                         test::meaning_of(recurrent(), inputs)));
}

} // namespace
