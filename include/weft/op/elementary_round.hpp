// SPDX-License-Identifier: BSL-1.0
// Rounding to integers, signs, remainders, neighbours and the bits of integers.
// Needs: types of one world. Leaves: exact results, but for floor_divide of floats; zeros keep their
// sign, a NaN argument gives NaN.
#pragma once

#include <weft/op/elementary_base.hpp>

namespace weft::inline v0 {
namespace elementary {

// To the nearest, ties to even.
template <world_float F> WEFT_INLINE constexpr F round_even(F const& x) {
  F const rounded = math::round_magnitude(abs(x)), value = select(x == x, rounded, x);
  return math::copy_sign(value, x);
}
template <world_float F> WEFT_INLINE constexpr F trunc(F const& x) {
  F const a = abs(x), rounded = math::round_magnitude(a);
  F const less = rounded - select(a < rounded, F(1.0f), F(0.0f));
  F const value = select(x == x, less, x);
  return math::copy_sign(value, x);
}
// To the nearest, ties away from zero.
template <world_float F> WEFT_INLINE constexpr F round_away(F const& x) {
  F const a = abs(x), whole = trunc(a), fraction = a - whole;
  F const rounded = whole + select(F(0.5f) <= fraction, F(1.0f), F(0.0f));
  F const value = select(a < math::infinite<F>(), rounded, x);
  return math::copy_sign(value, x);
}
template <world_float F> WEFT_INLINE constexpr F floor(F const& x) {
  F const nearest = round_even(x);
  return nearest - select(x < nearest, F(1.0f), F(0.0f));
}
template <world_float F> WEFT_INLINE constexpr F ceil(F const& x) {
  F const minus = -x;
  return -floor(minus);
}

// The magnitude of x = m 2^e with m in [1, 2), x finite and not 0, and e with the bias.
template <world_float F> struct significand_of {
  F m;
  typename F::i exponent;
};
template <world_float F> WEFT_INLINE constexpr significand_of<F> significand(F const& x) {
  using U = typename F::u;
  F const a = abs(x);
  auto const subnormal = a < math::smallest_normal<F>();
  F const normal = select(subnormal, a * math::number<F>(0x1p+24f, 0x1p+53), a);
  U const b = bits(normal), digits = U(static_cast<unsigned>(math::is_double<F> ? 53 : 24));
  U const lower = select(subnormal, digits, U(0u));
  U const field = shr(b, math::fraction_bits<F>) - lower;
  U const fraction = b & math::word_number<U>(0x7fffffu, 0xfffffffffffffu);
  F const m = as_float(fraction | math::word_number<U>(0x3f800000u, 0x3ff0000000000000u));
  return {m, as_int(field)};
}

// C's fmod, exact: x - trunc(x / y) y. Long division of the significands, `digits` binary digits of
// the quotient a turn, rounded to nearest: the partial remainder stays within one divisor, of either
// sign, and every step is exact. Turns after the first run only where quotients are that large.
template <world_float F> WEFT_INLINE constexpr F remainder(F const& dividend, F const& divisor) {
  return call(
      math::is_double<F> ? "remainder_f64" : "remainder",
      [](F const& x, F const& y) WEFT_LAMBDA {
        using I = typename F::i;
        using U = typename F::u;
        constexpr int digits = math::is_double<F> ? 50 : 21;
        constexpr int most = math::is_double<F> ? 2098 : 277;
        F const a = abs(x), b = abs(y);
        auto const n = significand(a), d = significand(b);
        F const inverse = F(1.0f) / d.m, minus_m = -d.m;
        I left = n.exponent - d.exponent;
        left = select(left < I(0), I(0), left);
        F r = n.m;
        auto turn = [&]() WEFT_LAMBDA {
          I const some = select(left < I(digits), left, I(digits));
          F const shifted = r * math::two_to(as_uint(some)), quotient = shifted * inverse;
          F const moved = quotient + math::rounding_constant<F>();
          F const whole = moved - math::rounding_constant<F>();
          r = fma(whole, minus_m, shifted);
          left = left - some;
        };
        turn();
        F const first = r;
        r = when(
            I(0) < left,
            [&]() WEFT_LAMBDA {
              for (int done = digits; done < most; done += digits) turn();
              return r;
            },
            first);
        F const positive = r + select(r < F(0.0f), d.m, F(0.0f));
        // |r| < 2, times 2^exponent: exact, by way of normal factors.
        U const e = as_uint(d.exponent) - U(static_cast<unsigned>(math::exponent_bias<F>));
        F const scaled = math::scale(positive, e);
        F const value = select(a < b, a, scaled);
        auto const x_finite = a < math::infinite<F>(), valid = x_finite & (F(0.0f) < b);
        F const checked = select(valid, value, math::not_a_number<F>());
        F const result = select(a == F(0.0f), a, checked), unordered = x + y;
        F const y_valid = select(F(0.0f) < b, result, math::not_a_number<F>());
        F const ordered = select(y == y, y_valid, unordered);
        return math::copy_sign(ordered, x);
      },
      dividend, divisor);
}

// NumPy's mod: the remainder with the divisor's sign; rounded once where signs differ.
template <world_float F> WEFT_INLINE constexpr F mod_floor(F const& x, F const& y) {
  F const r = remainder(x, y), moved = r + y, zero(0.0f);
  auto const r_negative = r < zero, y_negative = y < zero;
  F const same = select(r_negative ^ y_negative, moved, r);
  F const signed_zero = math::copy_sign(zero, y);
  return select(r == zero, signed_zero, same);
}
// NumPy's floor_divide: the integer next to (x - mod_floor(x, y)) / y; x / 0 as division has it.
template <world_float F> WEFT_INLINE constexpr F floor_divide(F const& x, F const& y) {
  F const m = mod_floor(x, y), exact = x - m, ratio = exact / y, quotient = x / y, zero(0.0f);
  F const whole = round_even(ratio), signed_zero = math::copy_sign(zero, quotient);
  F const nearest = select(whole == zero, signed_zero, whole);
  // x finite and not 0, y infinite: 0 or -1. (The sign of a NaN says nothing.)
  auto const y_infinite = abs(y) == math::infinite<F>();
  auto const x_finite = abs(x) < math::infinite<F>();
  auto const not_zero = !(x == zero), negative = not_zero & math::has_sign_bit(quotient);
  auto const below = negative & y_infinite, x_below = below & x_finite;
  F const limited = select(x_below, F(-1.0f), nearest);
  return select(y == zero, quotient, limited);
}

// |x| with the sign bit of y; of NaN, |x|: the sign of a NaN is no more the same everywhere than its
// payload.
template <world_float F> WEFT_INLINE constexpr F copysign(F const& x, F const& y) {
  return math::copy_sign(x, select(y == y, y, F(1.0f)));
}
// -1, 0 or 1; zeros and NaN as they are.
template <world_float F> WEFT_INLINE constexpr F sign(F const& x) {
  F const not_negative = select(F(0.0f) < x, F(1.0f), x);
  return select(x < F(0.0f), F(-1.0f), not_negative);
}

template <world_float F> WEFT_INLINE constexpr auto is_finite(F const& x) {
  return abs(x) < math::infinite<F>();
}
template <world_float F> WEFT_INLINE constexpr auto is_nan(F const& x) { return !(x == x); }
template <world_float F> WEFT_INLINE constexpr auto is_inf(F const& x) {
  return abs(x) == math::infinite<F>();
}

} // namespace elementary
} // namespace weft::inline v0
