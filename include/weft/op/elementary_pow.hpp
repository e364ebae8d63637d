// SPDX-License-Identifier: BSL-1.0
// Powers of floats and of integers.
// Needs: F, I, U types of one world. Leaves: C99's special values; integers wrap, and a negative
// exponent gives the integer part of the power (0, 1 or -1; 0 for the base 0).
#pragma once

#include <weft/op/elementary_exp.hpp>

namespace weft::inline v0 {
namespace detail::math {

// log2(x) as a pair with 8 (11) bits more than F has, for finite x > 0: with m = x / 2^k in
// [sqrt 1/2, sqrt 2) and s = (m - 1) / (m + 1), k + s (C + C/3 s^2 + s^4 w(s^2)), C = 2 / ln 2.
template <world_float F> WEFT_INLINE constexpr pair_of<F> log2_pair(F const& x) {
  auto const part = split(x);
  F const f = part.m - F(1.0f);
  auto const d = exact_sum(part.m, F(1.0f));
  auto const s = quotient(f, d.high, d.low);
  auto const square = exact_product(s.high, s.high);
  F const twice = s.high + s.high, z = square.high, z_low = fma(twice, s.low, square.low);
  F const w = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, 0x1.7d8a811cf039cp-3, 0x1.2bfce81641cf4p-3, 0x1.5c32e3521fbf3p-3,
                        0x1.89eefeeaa7af3p-3, 0x1.c68f6d0e70554p-3, 0x1.0c9a8478772c5p-2,
                        0x1.484b13d7f7d79p-2, 0x1.a61762a7adbc5p-2, 0x1.2776c50ef9bffp-1);
    else return polynomial(z, 0x1.59f184p-2f, 0x1.a5bbf4p-2f, 0x1.27770ep-1f);
  }();
  auto const inner = fast_sum(number<F>(0x1.ec709ep-1f, 0x1.ec709dc3a03fdp-1), z * w);
  F const inner_low = inner.low + number<F>(-0x1.e2fe02p-28f, 0x1.d27f05548af0cp-55);
  auto const cubic = exact_product(z, inner.high);
  F const cubic_cross = fma(z_low, inner.high, cubic.low);
  F const cubic_low = fma(z, inner_low, cubic_cross);
  auto const outer = fast_sum(number<F>(0x1.715476p+1f, 0x1.71547652b82fep+1), cubic.high);
  F const constant_low = cubic_low + number<F>(0x1.4ae0c0p-25f, 0x1.777d0ffda0d24p-55);
  F const outer_low = outer.low + constant_low;
  auto const product = exact_product(s.high, outer.high);
  F const cross = fma(s.low, outer.high, product.low), low = fma(s.high, outer_low, cross);
  auto const whole = fast_sum(part.k, product.high);
  F const rest = whole.low + low;
  return fast_sum(whole.high, rest);
}

// Is y an integer, and an odd one?
template <world_float F> struct parity_of {
  typename F::m integer, odd;
};
template <world_float F> WEFT_INLINE constexpr parity_of<F> parity(F const& y) {
  F const a = abs(y), half = a * F(0.5f);
  auto const integer = round_magnitude(a) == a;
  auto const even = round_magnitude(half) == half;
  return {integer, integer & !even};
}

// x^y where x is 0, infinite or NaN, or y infinite or NaN.
template <world_float F>
WEFT_INLINE constexpr F special_power(F const& x, F const& y, parity_of<F> const& p) {
  F const a = abs(x), infinity = infinite<F>(), zero(0.0f), one(1.0f);
  auto const y_negative = y < zero;
  auto const grows = (a < one) == y_negative; // 0^-1, inf^1, 2^inf, 0.5^-inf
  F const limit = select(grows, infinity, zero);
  F const signed_limit = select(p.odd, copy_sign(limit, x), limit);
  F const of_infinity = select(a == one, one, limit);
  F const ordered = select(abs(y) == infinity, of_infinity, signed_limit);
  F const sum = x + y, x_checked = select(x == x, ordered, sum);
  F const checked = select(y == y, x_checked, sum);
  auto const x_is_one = x == one;
  return select(x_is_one | (y == zero), one, checked);
}

} // namespace detail::math

namespace elementary {

// x^y. 2^(y log2 |x|), the logarithm and the product as pairs; the sign of an odd power.
template <world_float F> WEFT_INLINE constexpr F pow(F const& base, F const& exponent) {
  return call(
      math::is_double<F> ? "pow_f64" : "pow",
      [](F const& x, F const& y) WEFT_LAMBDA {
        F const a = abs(x);
        auto const p = math::parity(y);
        auto const log = math::log2_pair(a);
        auto const product = math::exact_product(y, log.high);
        F const limit = math::number<F>(200.0f, 1200.0), minus_limit = -limit;
        auto const in_range = abs(product.high) < limit;
        F const low = select(in_range, fma(y, log.low, product.low), F(0.0f));
        auto const parts = math::exp2_parts(math::limited(product.high, minus_limit, limit), low);
        F const magnitude = math::scale(F(1.0f) + parts.tail, parts.exponent);
        F const odd_sign = select(p.odd, -magnitude, magnitude);
        F const of_negative = select(p.integer, odd_sign, math::not_a_number<F>());
        F const ordinary = select(x < F(0.0f), of_negative, magnitude);
        auto const x_not_zero = F(0.0f) < a, x_ordinary = x_not_zero & (a < math::infinite<F>());
        auto const ordinary_operands = x_ordinary & (abs(y) < math::infinite<F>());
        return when(
            !ordinary_operands, [&]() WEFT_LAMBDA { return math::special_power(x, y, p); },
            ordinary);
      },
      base, exponent);
}

} // namespace elementary
} // namespace weft::inline v0
