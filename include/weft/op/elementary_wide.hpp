// SPDX-License-Identifier: BSL-1.0
// The elementary functions of float64, as op/elementary.hpp has those of float32: stated maximum
// errors over subnormals and all (tests/op/test_elementary_accuracy.cpp checks them).
// Needs: F the 64-bit float of a world. Leaves: overloads that win over those for any float.
// Series are cut where what is left is below a tenth of the last place; no fits are needed here.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/op/elementary.hpp>
#include <weft/op/narrow_int.hpp>

namespace weft::inline v0 {

template <class T> concept world_wide_float = world_float<T> && world_wide<T>;

namespace detail {

template <world_wide_float F, class... Coefficient>
WEFT_INLINE constexpr F horner(F const& x, double leading, Coefficient... lower) {
  F p(leading);
  ((p = fma(p, x, F(lower))), ...);
  return p;
}
// As in float32, with 1.5 * 2^52; e^r by its Taylor series.
template <world_wide_float F> WEFT_INLINE constexpr F shifted_power(F const& x, F const& shift) {
  return fma(x, F(0x1.71547652b82fep+0), shift);
}
template <world_wide_float F> WEFT_INLINE constexpr F exp_of_rest(F const& x, F const& n) {
  F const r = fma(n, F(-0x1.ef35793c76730p-45), fma(n, F(-0x1.62e42fefa3800p-1), x));
  F const q = horner(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                     1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6,
                     1.0 / 2);
  return fma(fma(q, r, F(1.0)), r, F(1.0));
}
template <world_wide_float F>
WEFT_INLINE constexpr F with_sign_of(F const& sign, F const& magnitude) {
  using U = typename F::u;
  U const sign_bit = bits(sign) & U(0x8000000000000000u);
  return as_float(bits(magnitude) | sign_bit);
}

} // namespace detail

namespace elementary {

// e^x. Maximum error 0.90 ulp. Overflows to inf above 709.78, is 0 below -745.14.
// 2^n is 2^(n + 512) 2^-512 below 0 and 2^(n - 512) 2^512 above. 511 is 1023 - 512.
template <world_wide_float F> WEFT_INLINE constexpr F exp(F const& argument) {
  return call(
      "exp_f64",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const c = min(F(710.0), max(F(-746.0), x)), shift(0x1.8p+52 + 511.0);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const p = detail::exp_of_rest(c, n);
        U const sign = shr(bits(c), 1) & U(std::uint64_t{1} << 62);
        U const up = shl(bits(shifted), 52) + sign;
        F const scaled = p * as_float(up);
        return scaled * as_float(U(std::uint64_t{1023 + 512} << 52) ^ sign);
      },
      argument);
}

// The bits of exp(x) for x that are not above 0: 2^n is 2^(n + 512) 2^-512. 1535 is 1023 + 512.
template <world_wide_float F> WEFT_INLINE constexpr F exp_not_above_one(F const& argument) {
  return call(
      "exp_not_above_one_f64",
      [](F const& x) WEFT_LAMBDA {
        F const c = max(F(-746.0), x), shift(0x1.8p+52 + 1535.0);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const p = detail::exp_of_rest(c, n);
        F const scaled = p * as_float(shl(bits(shifted), 52));
        return scaled * F(0x1p-512);
      },
      argument);
}

// Natural logarithm. Maximum error 0.95 ulp. log(0) = -inf, of a negative number NaN.
// x = 2^k m with m in [2/3, 4/3), f = m - 1 exact. With s = f / (2 + f): log(1 + f) = 2 atanh(s)
// = f - (f^2 / 2 - s (f^2 / 2 + r)), r = 2 s^2 / 3 + 2 s^4 / 5 + ...
template <world_wide_float F> WEFT_INLINE constexpr F log(F const& argument) {
  return call(
      "log_f64",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        auto const subnormal = x < F(0x1p-1022);
        F const scaled = select(subnormal, x * F(0x1p+54), x);
        U const b = bits(scaled);
        U const exponent = (b - U(0x3fe5555555555555u)) & U(0xfff0000000000000u); // k 2^52
        F const shift = select(subnormal, F(-54.0), F(0.0));
        F const k = to_float(sar(as_int(exponent), 52)) + shift;
        F const f = as_float(b - exponent) - F(1.0);
        F const s = f / (F(2.0) + f), z = s * s;
        F const series = detail::horner(z, 2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15,
                                        2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3);
        F const half_square = F(0.5) * (f * f), low = k * F(0x1.ef35793c76730p-45);
        F const correction = fma(s, fma(z, series, half_square), low);
        F const near = f - (half_square - correction);
        F const sum = fma(k, F(0x1.62e42fefa3800p-1), near);
        F const outside = select(x == F(0.0), F(-detail::infinity_f64), F(detail::nan_f64));
        F const inside = select(F(0.0) < x, sum, outside);
        return select(x == F(detail::infinity_f64), x, inside);
      },
      argument);
}

// Hyperbolic tangent. Maximum error 1.40 ulp. Odd; tanh(-0) = -0.
// Below 0.625 the convergent of order 8 of the continued fraction z / (1 + z / (3 + z / (5 ...))),
// written as a - a z p(z) / q(z), z = a^2; else 1 - 2 / (e^2a + 1), as in float32.
template <world_wide_float F> WEFT_INLINE constexpr F tanh(F const& argument) {
  return call(
      "tanh_f64",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const a = abs(x), z = a * a;
        F const p = detail::horner(z, 1.0, 594.0, 45045.0, 675675.0);
        F const q = detail::horner(z, 1.0, 630.0, 51975.0, 945945.0, 2027025.0);
        F const near = fma(-(p * z / q), a, a);
        F const c = min(F(40.0), a + a), shift(0x1.8p+52);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const e_r = detail::exp_of_rest(c, n);
        U const exponent = shl(bits(shifted), 52), power = bits(e_r) + exponent;
        F const far = F(1.0) - F(2.0) / (as_float(power) + F(1.0));
        F const magnitude = select(F(0.625) <= a, far, near);
        return detail::with_sign_of(x, magnitude);
      },
      argument);
}

// 1 / (1 + e^-x). Maximum error 1.50 ulp. As in float32.
template <world_wide_float F> WEFT_INLINE constexpr F sigmoid(F const& argument) {
  return call(
      "sigmoid_f64",
      [](F const& x) WEFT_LAMBDA {
        F const e = exp_not_above_one(-abs(x));
        F const d = F(1.0) + e, d_low = e - (d - F(1.0));
        F const n = select(x < F(0.0), e, F(1.0));
        F const reciprocal = F(1.0) / d, quotient = n * reciprocal, minus = -quotient;
        F const rest = fma(minus, d_low, fma(minus, d, n));
        return fma(rest, reciprocal, quotient);
      },
      argument);
}

} // namespace elementary
} // namespace weft::inline v0
