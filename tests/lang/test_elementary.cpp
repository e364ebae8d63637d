// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Elementary functions at both doors: the traced one on the interpreter, the immediate one in
// constant evaluation, against the rows; the functions over rows against their definitions.
#include "recorded.hpp"

#include <weft/weft.hpp>

#include <random/same_bits.hpp>

#include <array>
#include <cmath>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::op, weft::tensor;

tensor<float, 4> const x = {-1.75f, -0.25f, 0.5f, 3.25f};
tensor<float, 4> const y = {0.75f, -2.0f, 2.5f, -0.5f};

// The row's value at each place.
template <class... X> list<float> by_row(op o, X const&... a) {
  list<float> r;
  for (int i = 0; i < 4; ++i) {
    weft::word const in[] = {weft::word_of(a(i))...};
    weft::word out[2]{};
    weft::word_function_of(o, weft::dtype::f32, weft::dtype::f32)(in, out);
    r.push_back(weft::element_of_word<float>(out[0]));
  }
  return r;
}
void expect_same(list<float> const& a, list<float> const& b, char const* name) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(test::same_bits(weft::word_of(a[i]), weft::word_of(b[i]), weft::dtype::f32))
        << name << ' ' << i << ": " << a[i] << ' ' << b[i];
}

TEST(elementary_doors, traced_functions_are_their_rows) {
  auto const one = recorded::run(
      [](auto a) {
        return std::array{exp2(a),       expm1(a), log1p(a), log2(a), log10(a),  softplus(a),
                          reciprocal(a), rsqrt(a), cbrt(a),  sin(a),  cos(a),    tan(a),
                          asin(a),       acos(a),  atan(a),  sinh(a), cosh(a),   asinh(a),
                          acosh(a),      atanh(a), erf(a),   erfc(a), erfinv(a), lgamma(a),
                          digamma(a),    gelu(a),  floor(a), ceil(a), trunc(a),  round_even(a),
                          round_away(a), sign(a)};
      },
      x);
  op const rows[] = {op::exp2,       op::expm1, op::log1p, op::log2, op::log10,  op::softplus,
                     op::reciprocal, op::rsqrt, op::cbrt,  op::sin,  op::cos,    op::tan,
                     op::asin,       op::acos,  op::atan,  op::sinh, op::cosh,   op::asinh,
                     op::acosh,      op::atanh, op::erf,   op::erfc, op::erfinv, op::lgamma,
                     op::digamma,    op::gelu,  op::floor, op::ceil, op::trunc,  op::round_even,
                     op::round_away, op::sign};
  ASSERT_EQ(one.size(), static_cast<int>(std::size(rows)));
  for (int i = 0; i < one.size(); ++i)
    expect_same(recorded::numbers<float>(one[i]), by_row(rows[i], x), weft::name_of(rows[i]));
  auto const two = recorded::run(
      [](auto a, auto b) {
        return std::array{
            pow(a, b),          atan2(a, b),    hypot(a, b), remainder(a, b), mod_floor(a, b),
            floor_divide(a, b), copysign(a, b), zeta(a, b),  polygamma(a, b), a % b};
      },
      x, y);
  op const pairs[] = {op::pow,          op::atan2,    op::hypot, op::remainder, op::mod_floor,
                      op::floor_divide, op::copysign, op::zeta,  op::polygamma, op::remainder};
  for (int i = 0; i < two.size(); ++i)
    expect_same(recorded::numbers<float>(two[i]), by_row(pairs[i], x, y), weft::name_of(pairs[i]));
}

TEST(elementary_doors, types_and_numbers) {
  tensor<float, 3> a = {INFINITY, NAN, -2};
  EXPECT_EQ(values<bool>([](auto v) { return is_finite(v); }, a), (list<bool>{false, false, true}));
  EXPECT_EQ(values<bool>([](auto v) { return is_nan(v); }, a), (list<bool>{false, true, false}));
  EXPECT_EQ(values<bool>([](auto v) { return is_inf(v); }, a), (list<bool>{true, false, false}));
  EXPECT_EQ(values<float>([](auto v) { return pow(v, 2) + pow(2, v); }, tensor<float, 2>{1, 3}),
            (list<float>{3, 17}));
  tensor<int, 4> n = {-7, 7, 0, 12};
  EXPECT_EQ(values<int>([](auto v) { return v % 4; }, n), (list<int>{-3, 3, 0, 0}));
  EXPECT_EQ(values<int>([](auto v) { return mod_floor(v, 4); }, n), (list<int>{1, 3, 0, 0}));
  EXPECT_EQ(values<int>([](auto v) { return floor_divide(v, 4); }, n), (list<int>{-2, 1, 0, 3}));
  EXPECT_EQ(values<int>([](auto v) { return pow(v, 2) + sign(v); }, n),
            (list<int>{48, 50, 0, 145}));
  EXPECT_EQ(values<int>([](auto v) { return popcount(v) * 100 + count_leading_zeros(v); }, n),
            (list<int>{3000, 329, 32, 228}));
  // Integers and bool have neither infinities nor NaN.
  auto const asked = [](auto v) { return (is_nan(v) | is_inf(v)) == is_finite(v); };
  EXPECT_EQ(values<bool>(asked, n), (list<bool>(4, false)));
  EXPECT_EQ(values<bool>(asked, tensor<bool, 2>{true, false}), (list<bool>(2, false)));
  EXPECT_TRUE(eval(is_finite(n) & !is_nan(n))(0) && !eval(is_inf(tensor<bool, 2>{}))(1));
  EXPECT_EQ(values<int>([](auto v) { return fmax(v, -v) - fmin(v, zeros_like(v)); }, n),
            (list<int>{14, 7, 0, 12}));
  EXPECT_EQ(values<double>([](auto v) { return cos(v); }, tensor<double, 1>{0}), (list<double>{1}));
  EXPECT_EQ(values<bf16>([](auto v) { return exp2(v); }, tensor<bf16, 1>{bf16(3.0f)})[0].bits,
            bf16(8.0f).bits);
}

TEST(elementary_doors, functions_over_rows_take_numbers_and_makers) {
  tensor<float, 3> a = {-2, 0, 1.5f};
  EXPECT_EQ(values<float>([](auto v) { return heaviside(v, 0.5f); }, a), (list<float>{0, 0.5f, 1}));
  EXPECT_EQ(values<float>([](auto v) { return fmax(v, 0) + fmin(0.0f, v); }, a),
            (list<float>{-2, 0, 1.5f}));
  EXPECT_EQ(values<float>([](auto v) { return fmax(v, zeros_like(v) + 1); }, a),
            (list<float>{1, 1, 1.5f}));
  EXPECT_EQ(values<float>([](auto v) { return logaddexp(0 * v, 0.0f); }, tensor<float, 1>{3}),
            (list<float>{0x1.62e43p-1f}));
  EXPECT_EQ(values<float>([](auto v) { return nextafter(v, INFINITY); }, tensor<float, 1>{1}),
            (list<float>{1 + 0x1p-23f}));
  EXPECT_EQ(values<bool>([](auto v) { return logical_and(v, true) | logical_xor(v, 1); }, a),
            (list<bool>{true, true, true}));
  EXPECT_EQ(values<bool>([](auto v) { return logical_or(v, 0.5f); }, a), (list<bool>(3, true)));
  // And with tensors.
  EXPECT_EQ(eval(heaviside(a, 0.5f))(1), 0.5f);
  EXPECT_EQ(eval(fmax(0.0f, a))(0), 0.0f);
  EXPECT_FALSE(eval(logical_and(a, false))(0));
}

TEST(elementary_doors, functions_over_rows) {
  tensor<float, 3> a = {-2, 0, 1.5f}, b = {1, 3, NAN};
  EXPECT_EQ(values<float>([](auto v) { return square(v); }, a), (list<float>{4, 0, 2.25f}));
  EXPECT_EQ(values<bool>([](auto v) { return signbit(-v); }, a), (list<bool>{false, true, true}));
  EXPECT_EQ(values<float>([](auto v) { return heaviside(v, v + 0.5f); }, a),
            (list<float>{0, 0.5f, 1}));
  EXPECT_EQ(values<float>([](auto v, auto w) { return fmax(v, w); }, a, b),
            (list<float>{1, 3, 1.5f}));
  EXPECT_EQ(values<float>([](auto v, auto w) { return fmin(v, w); }, a, b),
            (list<float>{-2, 0, 1.5f}));
  tensor<float, 3> large = {1000, -INFINITY, 0};
  EXPECT_EQ(values<float>([](auto v) { return logaddexp(v, v); }, large),
            (list<float>{1000 + 0x1.62e43p-1f, -INFINITY, 0x1.62e43p-1f}));
  EXPECT_EQ(values<float>([](auto v) { return sinc(v); }, tensor<float, 2>{0, 0.5f}),
            (list<float>{1, 2 / 3.14159274f}));
  EXPECT_EQ(values<float>([](auto v) { return degrees(radians(v)); }, tensor<float, 1>{90}),
            (list<float>{90}));
  EXPECT_EQ(values<bool>([](auto v) { return logical_and(v, v != 0) ^ logical_xor(v, v); }, a),
            (list<bool>{true, false, true}));
  EXPECT_EQ(values<bool>([](auto v) { return logical_or(v, v) & !logical_not(v); }, a),
            (list<bool>{true, false, true}));
}

TEST(elementary_doors, nextafter_is_the_types_own) {
  tensor<float, 8> a = {1, 1, 0, -0.0f, 0x1.fffffep+127f, -1, INFINITY, 2};
  tensor<float, 8> b = {2, 0, 1, -1, INFINITY, 0, 0, 2};
  list<float> expected;
  for (int i = 0; i < 8; ++i) expected.push_back(std::nextafter(a(i), b(i)));
  EXPECT_EQ(values<float>([](auto v, auto w) { return nextafter(v, w); }, a, b), expected);
  tensor<bf16, 2> c = {bf16(1.0f), bf16(0.0f)}, d = {bf16(2.0f), bf16(-1.0f)};
  auto const next = values<bf16>([](auto v, auto w) { return nextafter(v, w); }, c, d);
  EXPECT_EQ(next[0].bits, 0x3f81u);
  EXPECT_EQ(next[1].bits, 0x8001u);
}

// The immediate door, in constant evaluation.
constexpr float at_the_door(int which) {
  tensor<float, 2> v = {4, 0.25f}, w = {2, 0.5f};
  auto const pick = [which](auto const& r) { return eval(r)(which); };
  float sum = pick(sqrt(v) * rsqrt(v)) + pick(pow(v, w)) + pick(hypot(v, 3)) + pick(floor(v));
  return sum + pick(remainder(v, 3)) + pick(square(v)) + pick(where(is_nan(v), 0, log2(v)));
}
static_assert(at_the_door(0) == 1 + 16 + 5 + 4 + 1 + 16 + 2);
static_assert(at_the_door(1) > 2);
static_assert(eval(mod_floor(tensor<int, 2>{-7, 7}, 4)) == tensor<int, 2>{1, 3});
static_assert(eval(tensor<int, 2>{-7, 7} % 4) == tensor<int, 2>{-3, 3});

// And at run time, as kernels.
TEST(elementary_doors, immediate_functions_are_their_rows) {
  auto expect = [](auto const& made, list<float> const& expected, char const* name) {
    expect_same(list<float>(made.begin(), made.end()), expected, name);
  };
  expect(eval(gelu(x)), by_row(op::gelu, x), "gelu");
  expect(eval(atan2(x, y)), by_row(op::atan2, x, y), "atan2");
  expect(eval(remainder(x, y)), by_row(op::remainder, x, y), "remainder");
  EXPECT_TRUE(eval(is_finite(x))(0));
}

} // namespace
