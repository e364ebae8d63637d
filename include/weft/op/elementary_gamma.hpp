// SPDX-License-Identifier: BSL-1.0
// The logarithm of |gamma(x)| and its derivatives, for float32 and float64.
// Needs: as op/elementary_exp.hpp. Leaves: the stated error in ulp for x > 0; for x < 0, by reflection,
// up to 9 (lgamma) and 16 units of the last place of the larger of 1 and |result|, since zeros between
// the poles are not met exactly. A NaN argument gives NaN.
#pragma once

#include <weft/op/elementary_pow.hpp>
#include <weft/op/elementary_trig.hpp>

namespace weft::inline v0 {
namespace detail::math {

// |sin(pi a)| and |cos(pi a)|, and whether a is beyond its nearest integer; a >= 0.
template <world_float F> struct half_turn {
  F sine, cosine;
  typename F::m beyond;
};
template <world_float F> WEFT_INLINE constexpr half_turn<F> half_turn_of_steps(F const& a) {
  F const fraction = a - round_magnitude(a), g = abs(fraction), rest = F(0.5f) - g;
  auto const near = g <= F(0.25f);
  auto const angle = exact_product(select(near, g, rest),
                                   number<F>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1));
  auto const s = sin_near_zero(angle.high, angle.low), c = cos_near_zero(angle.high, angle.low);
  return {select(near, s.high, c.high), select(near, c.high, s.high), F(0.0f) <= fraction};
}
template <world_float F> WEFT_INLINE constexpr half_turn<F> half_turn_of(F const& a) {
  return half_turn_of_steps(a);
}
template <scalar_float F> constexpr half_turn<F> half_turn_of(F const& a) {
  return half_turn_of_steps(a);
}

// lgamma(2 + u) = u (c0 + u p(u)), |u| <= 1/2; p here.
template <world_float F> WEFT_INLINE constexpr F lgamma_polynomial(F const& u) {
  if constexpr (is_double<F>)
    return polynomial(u, -0x1.0cf2fcea933a7p-24, 0x1.7aa9fd163df46p-24, -0x1.0a5797a829895p-24,
                      0x1.711a4e5be65d4p-23, -0x1.f37f770c4c099p-22, 0x1.05a64c371a1d8p-20,
                      -0x1.113b970af7a24p-19, 0x1.253934fb112d8p-18, -0x1.3cc0157728210p-17,
                      0x1.5811da3076cd7p-16, -0x1.78de4f71f794bp-15, 0x1.a12795b4e2b2dp-14,
                      -0x1.d3fd4c7c29d04p-13, 0x1.0b36afbcb75e2p-11, -0x1.38ac5c2c2189bp-10,
                      0x1.7add6ead3fa7dp-9, -0x1.e404fc218f0c9p-8, 0x1.51322ac7d883cp-6,
                      -0x1.13e001a557607p-4, 0x1.4a34cc4a60fa6p-2);
  else
    return polynomial(u, 0x1.2615acp-13f, -0x1.053516p-12f, 0x1.035e6cp-11f, -0x1.37736ap-10f,
                      0x1.7b124ep-9f, -0x1.e40a0ap-8f, 0x1.513234p-6f, -0x1.13e000p-4f,
                      0x1.4a34ccp-2f);
}

// lgamma(a) = u g(u) +- log(argument), or Stirling's series from 8 on.
template <world_float F> struct lgamma_parts {
  F value, near; // near: u g(u)
};
template <world_float F>
WEFT_INLINE constexpr lgamma_parts<F> lgamma_of_magnitude_steps(F const& a) {
  auto const tiny = a < F(0.5f), low = a < F(1.5f), large = F(8.0f) <= a;
  F c = a, product(1.0f);
  for (int step = 0; step < 6; ++step) {
    F const next = c - F(1.0f), longer = product * next;
    auto const take = F(1.5f) <= next;
    c = select(take, next, c);
    product = select(take, longer, product);
  }
  F const from_one = select(tiny, a, a - F(1.0f)), u = select(low, from_one, c - F(2.0f));
  auto const plus_one = exact_sum(F(1.0f), a);
  auto const tiny_product = exact_product(a, plus_one.high);
  F const tiny_low = fma(a, plus_one.low, tiny_product.low);
  F const up = select(large, a, product), down = select(tiny, tiny_product.high, a);
  F const argument = select(low, down, up), correction = select(tiny, tiny_low, F(0.0f)) / argument;
  auto parts = log_parts(argument);
  parts.low = parts.low + correction;
  auto const log = natural_log_sum(parts);
  auto const inner = fast_sum(number<F>(0x1.b0ee60p-2f, 0x1.b0ee6072093cep-2),
                              u * lgamma_polynomial(u));
  auto const near = exact_product(u, inner.high);
  F const inner_low = inner.low + number<F>(0x1.c1d4e6p-28f, 0x1.6c5fe6c397219p-58),
          near_low = fma(u, inner_low, near.low);
  F const minus = -log.high, minus_low = -log.low;
  F const signed_log = select(low, minus, log.high), signed_low = select(low, minus_low, log.low);
  auto const sum = exact_sum(signed_log, near.high);
  F const rest_low = signed_low + near_low, small = sum.high + (sum.low + rest_low);
  // (a - 1/2) (log a - 1) + (log(2 pi) - 1) / 2 + h(1 / a^2) / a
  F const inverse = F(1.0f) / a, z = inverse * inverse;
  F const h = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, 0x1.b84c2c62fe5d8p-10, 0x1.406c2ba42eaa4p-8, -0x1.ede7c0e02a7d4p-10,
                        0x1.b91e110cf653fp-11, -0x1.38132e28154bcp-11, 0x1.a01a015b5c25ep-11,
                        -0x1.6c16c16c10775p-9, 0x1.5555555555555p-4);
    else return polynomial(z, 0x1.a9c968p-11f, -0x1.6c296cp-9f, 0x1.555556p-4f);
  }();
  F const constant = number<F>(0x1.acfe3ap-2f, 0x1.acfe390c97d69p-2);
  F const tail = fma(h, inverse, constant), factor = a - F(0.5f);
  auto const w = exact_sum(log.high, F(-1.0f));
  F const w_low = w.low + log.low;
  auto const whole = exact_product(factor, w.high);
  F const rest = fma(factor, w_low, whole.low + tail), stirling = whole.high + rest;
  F const finite = select(whole.high < infinite<F>(), stirling, infinite<F>());
  return {select(large, finite, small), near.high};
}
template <world_float F> WEFT_INLINE constexpr lgamma_parts<F> lgamma_of_magnitude(F const& a) {
  return lgamma_of_magnitude_steps(a);
}
template <scalar_float F> constexpr lgamma_parts<F> lgamma_of_magnitude(F const& a) {
  return lgamma_of_magnitude_steps(a);
}
template <world_float F> WEFT_INLINE constexpr F lgamma_of_negative(F const& a) {
  auto const positive = lgamma_of_magnitude(a);
  auto const turn = half_turn_of(a);
  F const part = turn.sine * number<F>(0x1.45f306p-2f, 0x1.45f306dc9c883p-2); // / pi
  F const small = part / (a + F(1.0f)), large = part * a;
  auto const tiny = a < F(0.5f);
  F const argument = select(tiny, small, large), base = select(tiny, positive.near, positive.value);
  F const log = log_of_sum(argument, F(0.0f)), minus = -log;
  F const value = minus - base;
  return select(argument == F(0.0f), infinite<F>(), value);
}

// digamma(a), a > 0, but digamma(1 + a) for a < 1: from its root in [1, 2], by sums of reciprocals
// above, asymptotically from 6 (10) on.
template <world_float F> WEFT_INLINE constexpr F digamma_of_magnitude(F const& a) {
  constexpr int steps = is_double<F> ? 8 : 4;
  F const limit = number<F>(6.0f, 10.0);
  auto const large = limit <= a;
  F const next_to = a + F(1.0f);
  F c = select(a < F(1.0f), next_to, a), sum(0.0f);
  c = select(large, F(1.5f), c);
  for (int step = 0; step < steps; ++step) {
    F const next = c - F(1.0f), longer = sum + F(1.0f) / next;
    auto const take = F(1.0f) <= next;
    c = select(take, next, c);
    sum = select(take, longer, sum);
  }
  F const from_root = c - number<F>(0x1.762d86p+0f, 0x1.762d86356be3fp+0);
  F const v = from_root - number<F>(0x1.ab5f20p-27f, 0x1.b86a722197829p-54);
  F const p = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(v, 0x1.ed519a2f9d3c6p-13, -0x1.d90fc93cd960dp-12, 0x1.cbc7bccf31f3cp-13,
                        -0x1.9698b7de9c6a7p-14, 0x1.e1c005c123687p-12, -0x1.b96747fe57884p-11,
                        0x1.226ef6d053e9dp-10, -0x1.96c0652f0b4c3p-10, 0x1.2d0bc1fc9185cp-9,
                        -0x1.ba3119c53c7fap-9, 0x1.42f884eb8b666p-8, -0x1.d821bc4c03b5dp-8,
                        0x1.5954a956ad1a4p-7, -0x1.f9708237ab4bbp-7, 0x1.723d70a69e4a0p-6,
                        -0x1.0fa7ebbf79bc1p-5, 0x1.8fce028cb4d74p-5, -0x1.27baba275c3b2p-4,
                        0x1.b9a5b63761c36p-4, -0x1.4fc1317256492p-3, 0x1.08b4294d50150p-2,
                        -0x1.c563b54aa1a3fp-2, 0x1.ef72bc8ee38acp-1);
    else
      return polynomial(v, -0x1.4a3030p-6f, 0x1.02902cp-5f, -0x1.09507ap-5f, 0x1.7d2c5ep-5f,
                        -0x1.27cb78p-4f, 0x1.ba93b6p-4f, -0x1.4fc2fap-3f, 0x1.08b21cp-2f,
                        -0x1.c563aep-2f, 0x1.ef72bep-1f);
  }();
  F const small = fma(v, p, sum), inverse = F(1.0f) / a, z = inverse * inverse;
  F const h = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, -0x1.4c4a905b3b3cbp-3, 0x1.31ed5c1b2c634p-4, -0x1.5784577806f1cp-6,
                        0x1.f06b5fcd093c1p-8, -0x1.1110fe165a946p-8, 0x1.041040f8759d5p-8,
                        -0x1.111111110f60ap-7, 0x1.5555555555555p-4);
    else return polynomial(z, 0x1.ed9b98p-9f, -0x1.10f7a0p-7f, 0x1.555552p-4f);
  }();
  auto const log = natural_log_sum(log_parts(select(large, a, F(1.0f))));
  F const half = fma(inverse, F(0.5f), h * z), far = log.high + (log.low - half);
  return select(large, far, small);
}

} // namespace detail::math

namespace elementary {

// log |gamma(x)|; infinite at 0, the negative integers and both infinities.
template <world_float F> WEFT_INLINE constexpr F lgamma(F const& argument) {
  return call(
      math::is_double<F> ? "lgamma_f64" : "lgamma",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        F const positive = math::lgamma_of_magnitude(a).value;
        F const value = when(
            x < F(0.0f), [&]() WEFT_LAMBDA { return math::lgamma_of_negative(a); }, positive);
        auto const outside = (a == F(0.0f)), pole = outside | (a == math::infinite<F>());
        return select(pole, math::infinite<F>(), value);
      },
      argument);
}

// The derivative of lgamma; -inf at 0, inf at -0, NaN at the negative integers and -inf.
template <world_float F> WEFT_INLINE constexpr F digamma(F const& argument) {
  return call(
      math::is_double<F> ? "digamma_f64" : "digamma",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x), inverse = F(1.0f) / a, base = math::digamma_of_magnitude(a);
        F const positive = select(a < F(1.0f), base - inverse, base);
        F const value = when(
            x < F(0.0f),
            [&]() WEFT_LAMBDA {
              auto const turn = math::half_turn_of(a);
              F const cotangent = turn.cosine / turn.sine;
              F const minus = -cotangent, signed_one = select(turn.beyond, cotangent, minus);
              F const above = select(a < F(1.0f), base, base + inverse);
              F const pi = math::number<F>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1);
              F const reflected = fma(signed_one, pi, above);
              auto const valid = F(0.0f) < turn.sine;
              return select(valid, reflected, math::not_a_number<F>());
            },
            positive);
        F const at_infinity = select(x == math::infinite<F>(), x, value);
        F const pole = math::copy_sign(math::infinite<F>(), -x);
        return select(x == F(0.0f), pole, at_infinity);
      },
      argument);
}

// The Hurwitz zeta function: the sum of (q + k)^-s over k >= 0, for s > 1 and q > 0, else NaN
// (infinite at s = 1 and at q = 0). Euler and Maclaurin's formula after 9 (12) terms.
template <world_float F> WEFT_INLINE constexpr F zeta(F const& exponent, F const& offset) {
  return call(
      math::is_double<F> ? "zeta_f64" : "zeta",
      [](F const& s, F const& q) WEFT_LAMBDA {
        constexpr int terms = math::is_double<F> ? 12 : 9;
        F const minus_s = -s;
        F sum(0.0f), at = q;
        for (int k = 0; k < terms; ++k) {
          sum = sum + pow(at, minus_s);
          at = at + F(1.0f);
        }
        F const power = pow(at, minus_s), one_less = F(1.0f) - s, below = s - F(1.0f);
        sum = sum + pow(at, one_less) / below; // at^-s may be 0 where this is not
        sum = sum + power * F(0.5f);
        // B_2j / (2j)! s (s + 1) ... (s + 2j - 2) at^(1 - s - 2j)
        constexpr std::array<double, 8> numbers = {1.0 / 12,
                                                   -1.0 / 720,
                                                   1.0 / 30240,
                                                   -1.0 / 1209600,
                                                   1.0 / 47900160,
                                                   -691.0 / 1307674368000.0,
                                                   1.0 / 74724249600.0,
                                                   -3617.0 / 10670622842880000.0};
        F const inverse = F(1.0f) / at, square = inverse * inverse;
        F factor = power * inverse * s, rising = s;
        for (int j = 0; j < (math::is_double<F> ? 8 : 4); ++j) {
          double const b = numbers[static_cast<std::size_t>(j)];
          sum = fma(factor, math::number<F>(static_cast<float>(b), b), sum);
          F const next = rising + F(1.0f), last = rising + F(2.0f), both = next * last;
          factor = factor * both * square;
          rising = last;
        }
        F const at_zero = select(q == F(0.0f), math::infinite<F>(), math::not_a_number<F>());
        F const positive = select(F(0.0f) < q, sum, at_zero);
        F const edge = select(s == F(1.0f), math::infinite<F>(), math::not_a_number<F>());
        F const valid = select(F(1.0f) < s, positive, edge), unordered = s + q;
        F const s_ordered = select(s == s, valid, unordered);
        return select(q == q, s_ordered, unordered);
      },
      exponent, offset);
}

// Derivative n of digamma: (-1)^(n+1) n! zeta(n + 1, x) for x > 0; n = 0 is digamma itself, n = 1 also
// has negative x, by reflection. NaN for other n and x.
template <world_float F> WEFT_INLINE constexpr F polygamma(F const& order, F const& argument) {
  return call(
      math::is_double<F> ? "polygamma_f64" : "polygamma",
      [](F const& n, F const& x) WEFT_LAMBDA {
        F const one(1.0f), zero(0.0f);
        auto const first = n == one, negative = x < zero, reflects = first & negative;
        F const a = select(reflects, one - x, x), next = n + one;
        F const series = zeta(next, a), log_factorial = lgamma(next);
        F const magnitude = select(first, series, exp(log_factorial) * series), minus = -magnitude;
        auto const p = math::parity(n);
        F const value = select(p.odd, magnitude, minus);
        auto const turn = math::half_turn_of(abs(x));
        F const ratio = math::number<F>(0x1.921fb6p+1f, 0x1.921fb54442d18p+1) / turn.sine;
        F const reflected = fma(ratio, ratio, -value), whole = select(reflects, reflected, value);
        auto const known = p.integer & (zero <= n);
        F const valid = select(known, whole, math::not_a_number<F>());
        F const none = digamma(x);
        return select(n == zero, none, valid);
      },
      order, argument);
}

} // namespace elementary
} // namespace weft::inline v0
