// SPDX-License-Identifier: BSL-1.0
// Hyperbolic functions, their inverses, powers and roots, for float32 and float64.
// Needs, leaves: as op/elementary_exp.hpp.
#pragma once

#include <weft/op/elementary_exp.hpp>

namespace weft::inline v0 {
namespace detail::math {

// e^a / 2 as a pair, and e^-a / 2, for 0 <= a below overflow of the first.
template <world_float F> struct half_exponentials {
  F high, low, reverse;
};
template <world_float F>
WEFT_INLINE constexpr half_exponentials<F> half_exponentials_of(F const& a) {
  using U = typename F::u;
  auto const p = exp_parts(min(number<F>(91.0f, 712.0), a), F(0.0f));
  U const n = p.exponent - U(1u);
  auto const e = fast_sum(F(1.0f), p.tail);
  F const high = scale(e.high, n), low = scale(e.low + p.tail_low, n);
  return {high, low, F(0.25f) / high};
}
// sqrt(s + s_low) + base as a pair.
template <world_float F>
WEFT_INLINE constexpr pair_of<F> plus_root(F const& base, F const& s, F const& s_low) {
  auto const root = square_root(s, s_low);
  auto const sum = exact_sum(base, root.high);
  return {sum.high, sum.low + root.low};
}
// log(a + sqrt(a^2 + sign)), from the sum as a pair; log 2a where a^2 swallows the 1.
template <world_float F>
WEFT_INLINE constexpr F log_of_large_sum(F const& a, pair_of<F> const& sum) {
  auto const large = number<F>(0x1p+14f, 0x1p+28) < a;
  F const x = select(large, a, sum.high);
  F const low = select(large, F(0.0f), sum.low), correction = low / x;
  auto parts = log_parts(x);
  parts.k = parts.k + select(large, F(1.0f), F(0.0f));
  parts.low = parts.low + correction;
  auto const log = natural_log_sum(parts);
  return log.high + log.low;
}

} // namespace detail::math

namespace elementary {

// Below 1: x + x^3 p(x^2); else e^a / 2 - e^-a / 2.
template <world_float F> WEFT_INLINE constexpr F sinh(F const& argument) {
  return call(
      math::is_double<F> ? "sinh_f64" : "sinh",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x), z = x * x;
        F const p = [&]() WEFT_LAMBDA {
          if constexpr (math::is_double<F>)
            return math::polynomial(z, 0x1.d525546780674p-48, 0x1.a6566eb8693ffp-41,
                                    0x1.61315d47ad4f2p-33, 0x1.ae644113fadf6p-26,
                                    0x1.71de3a68d4e0ep-19, 0x1.a01a01a00735ep-13,
                                    0x1.111111111119bp-7, 0x1.5555555555555p-3);
          else
            return math::polynomial(z, 0x1.756f68p-19f, 0x1.a022bcp-13f, 0x1.1110e0p-7f,
                                    0x1.555556p-3f);
        }();
        F const near = fma(z * p, x, x);
        auto const e = math::half_exponentials_of(a);
        F const far = e.high - (e.reverse - e.low), signed_far = math::copy_sign(far, x);
        F const finite = select(a < F(1.0f), near, signed_far);
        return select(a < math::infinite<F>(), finite, x);
      },
      argument);
}
template <world_float F> WEFT_INLINE constexpr F cosh(F const& argument) {
  return call(
      math::is_double<F> ? "cosh_f64" : "cosh",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        auto const e = math::half_exponentials_of(a);
        F const finite = e.high + (e.reverse + e.low);
        return select(a < math::infinite<F>(), finite, a);
      },
      argument);
}

// Below 1/2: x + x^3 p(x^2); else log(a + sqrt(a^2 + 1)).
template <world_float F> WEFT_INLINE constexpr F asinh(F const& argument) {
  return call(
      math::is_double<F> ? "asinh_f64" : "asinh",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        auto const square = math::exact_product(a, a);
        F const z = square.high;
        F const p = [&]() WEFT_LAMBDA {
          if constexpr (math::is_double<F>)
            return math::polynomial(
                z, -0x1.60e505eca0564p-10, 0x1.fe9cd5bdb53e6p-9, -0x1.9d2a18fd0c41cp-8,
                0x1.09d978e8b7168p-7, -0x1.3e193bd2cdba6p-7, 0x1.7a488dc8b4076p-7,
                -0x1.c99360d9ed431p-7, 0x1.1c4e8ddf5a2fdp-6, -0x1.6e8ba05384f3cp-6,
                0x1.f1c71c5dc752dp-6, -0x1.6db6db6d8916cp-5, 0x1.3333333332fe6p-4,
                -0x1.5555555555554p-3);
          else
            return math::polynomial(z, 0x1.2f530ep-7f, -0x1.487e38p-6f, 0x1.ec11f0p-6f,
                                    -0x1.6d7ebcp-5f, 0x1.33323ap-4f, -0x1.555554p-3f);
        }();
        F const near = fma(z * p, a, a);
        auto const inside = math::exact_sum(F(1.0f), z);
        auto const sum = math::plus_root(a, inside.high, inside.low + square.low);
        F const far = math::log_of_large_sum(a, sum);
        F const magnitude = select(a < F(0.5f), near, far);
        F const value = select(a < math::infinite<F>(), magnitude, a);
        return math::copy_sign(value, x);
      },
      argument);
}

// log(x + sqrt(x^2 - 1)) = log(1 + u), u = t + sqrt(2 t + t^2), t = x - 1; NaN below 1.
template <world_float F> WEFT_INLINE constexpr F acosh(F const& argument) {
  return call(
      math::is_double<F> ? "acosh_f64" : "acosh",
      [](F const& x) WEFT_LAMBDA {
        F const t = x - F(1.0f), twice = t + t, square = fma(t, t, twice);
        F const rest = fma(t, t, twice - square);
        auto const u = math::plus_root(t, square, rest);
        auto const sum = math::exact_sum(F(1.0f), u.high);
        math::pair_of<F> const whole{sum.high, sum.low + u.low};
        F const inside = math::log_of_large_sum(x, whole);
        F const finite = select(x < math::infinite<F>(), inside, x);
        return select(F(1.0f) <= x, finite, math::not_a_number<F>());
      },
      argument);
}

// Below 1/2: x + x^3 p(x^2); else log(1 + 2 a / (1 - a)) / 2; NaN beyond 1.
template <world_float F> WEFT_INLINE constexpr F atanh(F const& argument) {
  return call(
      math::is_double<F> ? "atanh_f64" : "atanh",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x), z = x * x;
        F const p = [&]() WEFT_LAMBDA {
          if constexpr (math::is_double<F>)
            return math::polynomial(
                z, 0x1.08776ea1969b0p-2, -0x1.f1493fa3d71bdp-3, 0x1.b1c00ece6dd1bp-3,
                -0x1.e0ae2266ccc6cp-6, 0x1.fe42cd7ff9537p-5, 0x1.685c0a7a0e30fp-5,
                0x1.b35099c8d64abp-5, 0x1.e175ac2475f6fp-5, 0x1.111509ed5b186p-4,
                0x1.3b137c59f1e85p-4, 0x1.745d192811e08p-4, 0x1.c71c71bbf6921p-4,
                0x1.24924924a5db6p-3, 0x1.999999999976fp-3, 0x1.5555555555556p-2);
          else
            return math::polynomial(z, 0x1.7b2d70p-3f, 0x1.15ce56p-6f, 0x1.af15ecp-4f,
                                    0x1.bfab06p-4f, 0x1.24d1bap-3f, 0x1.99979ep-3f, 0x1.555558p-2f);
        }();
        F const near = fma(z * p, x, x), d = F(1.0f) - a;
        auto const u = math::quotient(a + a, d, F(0.0f));
        F const far = math::log_one_plus(u.high, u.low) * F(0.5f);
        F const inside = select(a < F(1.0f), far, math::not_a_number<F>());
        F const magnitude = select(a == F(1.0f), math::infinite<F>(), inside);
        F const signed_far = math::copy_sign(magnitude, x);
        return select(a < F(0.5f), near, signed_far);
      },
      argument);
}

// Halley's iteration from the third of the bits, then one Newton step with an exact residue.
template <world_float F> WEFT_INLINE constexpr F cbrt(F const& argument) {
  return call(
      math::is_double<F> ? "cbrt_f64" : "cbrt",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const magnitude = abs(x);
        // so small that the residue would be subnormal
        auto const small = magnitude < math::number<F>(0x1p-100f, 0x1p-960);
        auto const large = math::number<F>(0x1p+120f, 0x1p+1000) < magnitude;
        F const down = select(large, math::number<F>(0x1p-24f, 0x1p-54), F(1.0f));
        F const up = select(large, math::number<F>(0x1p+8f, 0x1p+18), F(1.0f));
        F const factor = select(small, math::number<F>(0x1p+48f, 0x1p+108), down);
        F const back = select(small, math::number<F>(0x1p-16f, 0x1p-36), up);
        F const a = magnitude * factor;
        F const third = to_float(as_int(bits(a))) *
                        math::number<F>(0x1.555556p-2f, 0x1.5555555555555p-2);
        U const start = math::word_number<U>(0x2a5137a0u, 0x2a9f789300000000u);
        F y = as_float(as_uint(to_int(third)) + start);
        for (int turn = 0; turn < (math::is_double<F> ? 2 : 1); ++turn) {
          F const cube = y * y * y, twice = a + a, above = cube + twice;
          F const ratio = above / (cube + (cube + a));
          y = y * ratio;
        }
        auto const square = math::exact_product(y, y);
        F const minus = -a, rest = fma(square.high, y, minus), all = fma(square.low, y, rest);
        F const triple = square.high * F(3.0f), root = y - all / triple, scaled = root * back;
        auto const positive = F(0.0f) < magnitude;
        auto const ordinary = positive & (magnitude < math::infinite<F>());
        F const value = select(ordinary, scaled, magnitude);
        return math::copy_sign(value, x);
      },
      argument);
}

// One division, one rounding; and 1 / sqrt(x), two roundings.
template <world_float F> WEFT_INLINE constexpr F reciprocal(F const& x) { return F(1.0f) / x; }
template <world_float F> WEFT_INLINE constexpr F rsqrt(F const& x) { return F(1.0f) / sqrt(x); }

// sqrt(a^2 + b^2) without overflow or underflow on the way; infinite if either is.
template <world_float F> WEFT_INLINE constexpr F hypot(F const& first, F const& second) {
  return call(
      math::is_double<F> ? "hypot_f64" : "hypot",
      [](F const& x, F const& y) WEFT_LAMBDA {
        F const a = abs(x), b = abs(y), larger = max(a, b), smaller = min(b, a);
        auto const large = math::number<F>(0x1p+60f, 0x1p+500) < larger;
        auto const small = larger < math::number<F>(0x1p-60f, 0x1p-500);
        F const down = select(large, math::number<F>(0x1p-80f, 0x1p-600), F(1.0f));
        F const factor = select(small, math::number<F>(0x1p+90f, 0x1p+600), down);
        F const up = select(large, math::number<F>(0x1p+80f, 0x1p+600), F(1.0f));
        F const back = select(small, math::number<F>(0x1p-90f, 0x1p-600), up);
        F const p = larger * factor, q = smaller * factor, square = q * q;
        F const root = sqrt(fma(p, p, square)) * back;
        auto const first_infinite = a == math::infinite<F>();
        auto const infinite = first_infinite | (b == math::infinite<F>());
        F const unordered = x + y, number = select(a == a, root, unordered);
        F const value = select(b == b, number, unordered);
        return select(infinite, math::infinite<F>(), value);
      },
      first, second);
}

} // namespace elementary
} // namespace weft::inline v0
