// SPDX-License-Identifier: BSL-1.0
// Exponentials, logarithms, hyperbolic functions and powers, for float32 and float64.
// Needs: F a type of one world. Leaves: the stated maximum error in ulp, of float32 and float64, over
// all arguments, subnormal arguments and results included; C99's values at zeros and infinities; a
// NaN argument gives NaN. Coefficients: minimax fits (docs/numerics.md), highest degree first.
#pragma once

#include <weft/op/elementary_base.hpp>

namespace weft::inline v0 {
namespace detail::math {

// e^(x + low) = (1 + tail) 2^exponent; tail = high + low of |.| below 0.42.
template <world_float F> struct power_parts {
  F tail, tail_low;
  typename F::u exponent;
};

// e^(r + low) - 1, |r| <= ln2 / 2, low a rounding error of r.
template <world_float F> WEFT_INLINE constexpr pair_of<F> exp_tail(F const& r, F const& low) {
  F const q = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(r, 0x1.acc24fc95a6ebp-26, 0x1.28af8c896f5c1p-22, 0x1.71df9260d9c7bp-19,
                        0x1.a01997cb45888p-16, 0x1.a01a00fe633d1p-13, 0x1.6c16c184f849ep-10,
                        0x1.111111112f218p-7, 0x1.5555555550546p-5, 0x1.55555555554dep-3,
                        0x1.000000000000ap-1);
    else
      return polynomial(r, 0x1.6a452ep-10f, 0x1.1239aap-7f, 0x1.5558b8p-5f, 0x1.555492p-3f,
                        0x1.fffffcp-2f);
  }();
  F const square = r * r;
  return fast_sum(r, fma(square, q, low));
}

// |x| below 2^9 (2^12); low at most 2^-10 |x|.
template <world_float F>
WEFT_INLINE constexpr power_parts<F> exp_parts_steps(F const& x, F const& low) {
  auto const n = nearest_integer(
      fma(x, number<F>(0x1.715476p+0f, 0x1.71547652b82fep+0), rounding_constant<F>()));
  F const high = fma(n.value, number<F>(-0x1.62e000p-1f, -0x1.62e42fefa2000p-1), x);
  F const rest = fma(n.value, number<F>(-0x1.0bfbe8p-15f, -0x1.9ef35793c7673p-41), low);
  auto const r = fast_sum(high, rest);
  auto const tail = exp_tail(r.high, r.low);
  return {tail.high, tail.low, n.word};
}
template <world_float F> WEFT_INLINE constexpr power_parts<F> exp_parts(F const& x, F const& low) {
  return exp_parts_steps(x, low);
}
template <scalar_float F> constexpr power_parts<F> exp_parts(F const& x, F const& low) {
  return exp_parts_steps(x, low);
}
// 2^(x + low), |x| below 2^9 (2^12).
template <world_float F> WEFT_INLINE constexpr power_parts<F> exp2_parts(F const& x, F const& low) {
  F const ln2 = number<F>(0x1.62e430p-1f, 0x1.62e42fefa39efp-1);
  auto const n = nearest_integer(x + rounding_constant<F>());
  F const fraction = x - n.value;
  auto const product = exact_product(fraction, ln2);
  F const rest = fma(fraction, number<F>(-0x1.05c610p-29f, 0x1.abc9e3b39803fp-56), product.low);
  auto const r = exact_sum(product.high, fma(low, ln2, rest));
  auto const tail = exp_tail(r.high, r.low);
  return {tail.high, tail.low, n.word};
}
template <world_float F> WEFT_INLINE constexpr F limited(F const& x, F const& low, F const& high) {
  return min(high, max(low, x)); // NaN stays
}

// log(x) = k ln2 + high + low for finite x > 0: x = 2^k m, m in [sqrt 1/2, sqrt 2).
// log m = f - f^2/2 + s (f^2/2 + R(s^2)), f = m - 1, s = f / (2 + f).
template <world_float F> struct log_parts_of {
  F k, high, low;
};
template <world_float F> struct split_number {
  F k, m;
};
template <world_float F> WEFT_INLINE constexpr split_number<F> split(F const& x) {
  using U = typename F::u;
  auto const subnormal = x < smallest_normal<F>();
  F const normal = select(subnormal, x * number<F>(0x1p+25f, 0x1p+54), x);
  U const b = bits(normal);
  U const exponent = (b - word_number<U>(0x3f3504f3u, 0x3fe6a09e667f3bcdu)) &
                     word_number<U>(0xff800000u, 0xfff0000000000000u);
  F const shift = select(subnormal, number<F>(-25.0f, -54.0), F(0.0f));
  return {to_float(sar(as_int(exponent), fraction_bits<F>)) + shift, as_float(b - exponent)};
}
template <world_float F> WEFT_INLINE constexpr log_parts_of<F> log_parts_steps(F const& x) {
  auto const part = split(x);
  F const f = part.m - F(1.0f), s = f / (f + F(2.0f)), z = s * s, half = f * F(0.5f);
  F const r = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, 0x1.2f346b36a696ep-3, 0x1.399d3bca47ea1p-3, 0x1.746669b20584ap-3,
                        0x1.c71c51427161ap-3, 0x1.24924942d8c64p-2, 0x1.999999997ee69p-2,
                        0x1.5555555555595p-1);
    else return polynomial(z, 0x1.31f170p-2f, 0x1.995ea0p-2f, 0x1.55557ap-1f);
  }();
  auto const square = exact_product(f, half); // f^2 / 2
  F const minus_low = -square.low, t = fma(s, fma(z, r, square.high), minus_low);
  auto const sum = fast_sum(f, t - square.high);
  // What the difference of t and f^2/2 lost.
  auto const difference = exact_sum(t, -square.high);
  return {part.k, sum.high, sum.low + difference.low};
}
template <world_float F> WEFT_INLINE constexpr log_parts_of<F> log_parts(F const& x) {
  return log_parts_steps(x);
}
template <scalar_float F> constexpr log_parts_of<F> log_parts(F const& x) {
  return log_parts_steps(x);
}
// k c + high + low, where c_high has few bits.
template <world_float F>
WEFT_INLINE constexpr pair_of<F> log_sum(log_parts_of<F> const& p, F const& c_high,
                                         F const& c_low) {
  F const whole = p.k * c_high;
  auto const sum = fast_sum(whole, p.high);
  return {sum.high, sum.low + fma(p.k, c_low, p.low)};
}
template <world_float F>
WEFT_INLINE constexpr pair_of<F> natural_log_sum(log_parts_of<F> const& p) {
  return log_sum(p, number<F>(0x1.62e000p-1f, 0x1.62e42fefa2000p-1),
                 number<F>(0x1.0bfbe8p-15f, 0x1.9ef35793c7673p-41));
}
// log(x + x_low), x > 0 normal and finite.
template <world_float F> WEFT_INLINE constexpr F log_of_sum(F const& x, F const& x_low) {
  auto parts = log_parts(x);
  F const correction = x_low / x;
  parts.low = parts.low + correction;
  auto const sum = natural_log_sum(parts);
  return sum.high + sum.low;
}
// The parts in units of log(base): times scale = 1 / log(base).
template <world_float F>
WEFT_INLINE constexpr log_parts_of<F> in_base(log_parts_of<F> const& p, F const& factor,
                                              F const& factor_low) {
  auto const product = exact_product(p.high, factor);
  F const cross = fma(p.high, factor_low, product.low);
  return {p.k, product.high, fma(p.low, factor, cross)};
}
// A logarithm's values outside (0, inf): -inf at 0, inf at inf, else NaN.
template <world_float F> WEFT_INLINE constexpr F log_domain(F const& x, F const& inside) {
  F const outside = select(x == F(0.0f), minus_infinite<F>(), not_a_number<F>());
  F const finite = select(F(0.0f) < x, inside, outside);
  return select(x == infinite<F>(), x, finite);
}

// log(1 + u + u_low) for u > -1; u itself where it is tiny.
template <world_float F> WEFT_INLINE constexpr F log_one_plus(F const& u, F const& u_low) {
  auto const sum = exact_sum(F(1.0f), u);
  return log_of_sum(sum.high, sum.low + u_low);
}

} // namespace detail::math

namespace elementary {

// 2^x; exact for integers.
template <world_float F> WEFT_INLINE constexpr F exp2(F const& argument) {
  return call(
      math::is_double<F> ? "exp2_f64" : "exp2",
      [](F const& x) WEFT_LAMBDA {
        F const c = math::limited(x, math::number<F>(-151.0f, -1076.0),
                                  math::number<F>(129.0f, 1025.0));
        auto const p = math::exp2_parts(c, F(0.0f));
        return math::scale(F(1.0f) + p.tail, p.exponent);
      },
      argument);
}

// e^x - 1. (2^(n-1) - 1/2) + 2^(n-1) tail, doubled; the tail itself where n = 0.
template <world_float F> WEFT_INLINE constexpr F expm1(F const& argument) {
  return call(
      math::is_double<F> ? "expm1_f64" : "expm1",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const c = math::limited(x, math::number<F>(-32.0f, -64.0), math::number<F>(89.0f, 710.0));
        auto const p = math::exp_parts(c, F(0.0f));
        F const half = math::two_to(p.exponent - U(1u)), base = half - F(0.5f);
        F const moved = half * p.tail, moved_low = half * p.tail_low;
        auto const sum = math::exact_sum(base, moved);
        F const total = sum.high + (sum.low + moved_low);
        F const twice = total + total, r = select(p.exponent == U(0u), p.tail, twice);
        F const value = select(x == x, r, x);
        return math::copy_sign(value, x);
      },
      argument);
}

// log(1 + x).
template <world_float F> WEFT_INLINE constexpr F log1p(F const& argument) {
  return call(
      math::is_double<F> ? "log1p_f64" : "log1p",
      [](F const& x) WEFT_LAMBDA {
        F const inside = math::log_one_plus(x, F(0.0f));
        F const edge = select(x == F(-1.0f), math::minus_infinite<F>(), math::not_a_number<F>());
        F const finite = select(F(-1.0f) < x, inside, edge);
        F const value = select(x == math::infinite<F>(), x, finite);
        return math::copy_sign(value, x);
      },
      argument);
}

template <world_float F> WEFT_INLINE constexpr F log2(F const& argument) {
  return call(
      math::is_double<F> ? "log2_f64" : "log2",
      [](F const& x) WEFT_LAMBDA {
        auto const p = math::in_base(math::log_parts(x),
                                     math::number<F>(0x1.715476p+0f, 0x1.71547652b82fep+0),
                                     math::number<F>(0x1.4ae0c0p-26f, 0x1.777d0ffda0d24p-56));
        auto const sum = math::log_sum(p, F(1.0f), F(0.0f));
        return math::log_domain(x, sum.high + sum.low);
      },
      argument);
}

template <world_float F> WEFT_INLINE constexpr F log10(F const& argument) {
  return call(
      math::is_double<F> ? "log10_f64" : "log10",
      [](F const& x) WEFT_LAMBDA {
        auto const p = math::in_base(math::log_parts(x),
                                     math::number<F>(0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2),
                                     math::number<F>(-0x1.5b235ep-27f, 0x1.95355baaafad3p-57));
        auto const sum = math::log_sum(p, math::number<F>(0x1.344000p-2f, 0x1.34413509f6000p-2),
                                       math::number<F>(0x1.3509f8p-18f, 0x1.9fef311f12b36p-42));
        return math::log_domain(x, sum.high + sum.low);
      },
      argument);
}

// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), the exponential as a pair.
template <world_float F> WEFT_INLINE constexpr F softplus(F const& argument) {
  return call(
      math::is_double<F> ? "softplus_f64" : "softplus",
      [](F const& x) WEFT_LAMBDA {
        F const a = math::limited(-abs(x), math::number<F>(-104.0f, -746.0), F(0.0f));
        auto const p = math::exp_parts(a, F(0.0f));
        auto const e = math::fast_sum(F(1.0f), p.tail);
        F const high = math::scale(e.high, p.exponent);
        F const low = math::scale(e.low + p.tail_low, p.exponent);
        F const log = math::log_one_plus(high, low);
        return select(x < F(0.0f), F(0.0f), x) + log;
      },
      argument);
}

} // namespace elementary
} // namespace weft::inline v0
