// SPDX-License-Identifier: BSL-1.0
// What is known never to be above 0, and what is not; and that e^x of it has the bits of exp.
#include "sample.hpp"

#include <weft/op/elementary.hpp>
#include <weft/op/numeric.hpp>
#include <weft/pass/lower.hpp>
#include <weft/pass/never_positive.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace {

using namespace test;

// Is the argument of the graph's exp known never to be above 0?
constexpr bool is_known(unary_function f, dtype d = dtype::f32) {
  graph const g = recorded(f, d);
  graph_view const v = g;
  return is_never_positive(v, accesses_of(v), v.operand(find(v, op::exp), 0));
}
constexpr handle exp_of(handle x) { return unary(op::exp, x); }
constexpr handle maxima(handle x, extent axes) {
  return spread_over(reduce(op::reduce_max, x, axes), x.shape(), axes);
}

static_assert(is_known([](recorder&, handle x) { return exp_of(x - maxima(x, 2)); }));
static_assert(is_known([](recorder&, handle x) { return exp_of(x - maxima(x, 1)); }));
static_assert(is_known([](recorder&, handle x) { return exp_of(x - maxima(x, 3)); }));
static_assert(is_known([](recorder&, handle x) { return exp_of(x - maxima(x, 2)); }, dtype::bf16));
static_assert(is_known([](recorder&, handle x) {
  handle const y = x * x;
  return exp_of(y - maxima(y, 2));
}));
static_assert(is_known([](recorder&, handle x) { return exp_of(-(x * x)); }));
static_assert(is_known([](recorder&, handle x) { return exp_of(-unary(op::abs, x)); }));

static_assert(!is_known([](recorder&, handle x) { return exp_of(x); }));
static_assert(!is_known([](recorder&, handle x) { return exp_of(-x); }));
static_assert(!is_known([](recorder&, handle x) { return exp_of(-(x * -x)); }));
static_assert(!is_known([](recorder&, handle x) { return exp_of(maxima(x, 2) - x); }));
static_assert(!is_known([](recorder&, handle x) { return exp_of(x - x); }));
static_assert(!is_known([](recorder&, handle x) { // of another array
  return exp_of(x - maxima(x * x, 2));
}));
static_assert(!is_known([](recorder&, handle x) { // the smallest
  return exp_of(x - spread_over(reduce(op::reduce_min, x, 2), x.shape(), 2));
}));
static_assert(!is_known([](recorder&, handle x) { // the maximum of row j at element (i, j)
  return exp_of(x - spread_over(reduce(op::reduce_max, x, 2), x.shape(), 1));
}));
static_assert(!is_known([](recorder&, handle x) { // of row 3 - i
  handle const m = reverse(reduce(op::reduce_max, x, 2), 1);
  return exp_of(x - spread_over(m, x.shape(), 2));
}));
static_assert(!is_known([](recorder&, handle x) { // of the row read backwards: another element
  return exp_of(reverse(x, 2) - maxima(x, 2));
}));
static_assert(!is_known([](recorder&, handle x) { // of another row
  return exp_of(slice_axis(x, 0, 1, 1) - maxima(slice_axis(x, 0, 0, 1), 2));
}));
static_assert(is_known([](recorder&, handle x) { // one row, and one column
  handle const row = slice_axis(x, 0, 2, 1);
  return exp_of(row - maxima(row, 2));
}));
static_assert(is_known([](recorder&, handle x) {
  handle const column = slice_axis(x, 1, 2, 1);
  return exp_of(column - maxima(column, 2));
}));
static_assert(!is_known([](recorder&, handle x) { // of the transposed array's rows
  extent const turned[] = {1, 0};
  return exp_of(x - maxima(transpose(x, {turned, 2}), 2));
}));

// Groups carry it to their code.
constexpr extent marks(unary_function f) {
  graph const g = recorded(f);
  accesses const reads = accesses_of(g);
  schedule const plan = make_schedule(g, reads);
  lowered const code = lower(g, reads, plan);
  extent n = 0;
  for (instruction const& i : code.instructions)
    if (i.kind == instruction_kind::compute && i.code == op::exp) n += i.bits;
  return n;
}
static_assert(marks([](recorder&, handle x) { return exp_of(x - maxima(x, 2)); }) == 1);
static_assert(marks([](recorder&, handle x) { return exp_of(x); }) == 0);

TEST(never_positive, exp_of_what_is_not_above_0_has_the_bits_of_exp) {
  auto const same = [](float x) {
    float const a = elementary::exp(scalar::f32(x)).value;
    float const b = elementary::exp_not_above_one(scalar::f32(x)).value;
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  };
  for (std::uint32_t bits = 0x80000000u; bits < 0xff800000u; bits += 977)
    ASSERT_TRUE(same(std::bit_cast<float>(bits))) << bits;
  for (float x : {0.0f, -0.0f, -87.4f, -103.97f, -104.0f, -std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::quiet_NaN()})
    EXPECT_TRUE(same(x)) << x;
  for (double x = 0; x > -760; x -= 0.0137) {
    double const a = elementary::exp(scalar::f64(x)).value;
    double const b = elementary::exp_not_above_one(scalar::f64(x)).value;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << x;
  }
}

} // namespace
