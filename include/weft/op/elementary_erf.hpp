// SPDX-License-Identifier: BSL-1.0
// The error function and its relatives, for float32 and float64.
// Needs, leaves: as op/elementary_exp.hpp. e^(a^2) erfc(a) (a + c), c = 2 (4), is a polynomial in
// 1 / (a + c) - t0; so is e^(a^2/2) Phi(-a) (a + c), c = 3 (5), Phi the normal distribution. Factors
// and exponential are kept as pairs, so that a product is rounded once.
#pragma once

#include <weft/op/elementary_exp.hpp>

namespace weft::inline v0 {
namespace detail::math {

// R(a) = (s0 + u (s1 + u p(u))) / (a + c), u = 1 / (a + c) - t0; its derivative is a g R - slope0.
template <world_float F> struct scaled_tail {
  F c, t0, s0, s0_low, s1, g, slope0;
};
template <world_float F> struct scaled_pair {
  F high, low;
  typename F::u exponent;
};
// R(a) e^(exponent), without the factor 2^exponent; p is called with u.
template <class Polynomial, world_float F>
WEFT_INLINE constexpr scaled_pair<F> times_exp(Polynomial const& polynomial_of, F const& a,
                                               scaled_tail<F> const& r,
                                               pair_of<F> const& exponent) {
  auto const d = exact_sum(a, r.c);
  F const t = F(1.0f) / d.high, minus = -t, u = t - r.t0;
  F const lost = fma(minus, d.high, F(1.0f)), t_error = fma(minus, d.low, lost); // relative
  auto const inner = exact_sum(r.s1, u * polynomial_of(u));
  auto const outer = exact_product(u, inner.high);
  auto const numerator = exact_sum(r.s0, outer.high);
  F const s_low = numerator.low + r.s0_low, outer_low = fma(u, inner.low, outer.low);
  F const numerator_low = s_low + outer_low;
  auto const product = exact_product(numerator.high, t);
  F const low = fma(numerator_low, t, product.low);
  // t R'(t) = (slope0 - a g R) d
  F const twice = a * r.g, minus_twice = -twice;
  F const slope = fma(minus_twice, product.high, r.slope0) * d.high;
  F const quotient_low = fma(slope, t_error, low);
  auto const p = exp_parts(exponent.high, exponent.low);
  F const tail_low = fma(product.high, p.tail_low, quotient_low);
  F const tail_part = fma(product.high, p.tail, tail_low);
  auto const sum = fast_sum(product.high, tail_part);
  return {sum.high, sum.low, p.exponent};
}

// erfc(a), a >= 0.
template <world_float F> WEFT_INLINE constexpr F erfc_of_magnitude(F const& magnitude) {
  F const a = min(number<F>(10.5f, 27.5), magnitude), minus = -a;
  auto const square = exact_product(minus, a);
  scaled_tail<F> const tail{number<F>(2.0f, 4.0),
                            number<F>(0.25f, 0.125),
                            number<F>(0x1.058672p+0f, 0x1.18932bf08e154p+0),
                            number<F>(-0x1.d82484p-27f, 0x1.07f628df411fcp-54),
                            number<F>(0x1.5fd386p+1f, 0x1.f3fe31ecb49bfp+2),
                            F(2.0f),
                            number<F>(0x1.20dd76p+0f, 0x1.20dd750429b6dp+0)};
  auto const p = times_exp(
      [](F const& u) WEFT_LAMBDA {
        if constexpr (is_double<F>)
          return polynomial(u, -0x1.cba3e45df313fp+37, 0x1.258b4a61ff224p+37, 0x1.a8b79f5453197p+32,
                            -0x1.408b8dfe047bbp+34, -0x1.b856c3f0ce61ap+27, 0x1.12f17f6287f38p+31,
                            0x1.452ed4f1a9b0cp+27, -0x1.c7bdbb9ef652ep+27, -0x1.7e4611a5c6552p+25,
                            0x1.3b1d6fce58560p+24, 0x1.3c6e6cb451f3bp+23, -0x1.e7f2b79251afcp+17,
                            -0x1.72cda3364676ep+20, -0x1.dd28426007960p+18, 0x1.269b51a97b2c5p+15,
                            0x1.908f472058f8ap+16, 0x1.b00c052c734edp+15, 0x1.38dbd2c8e50a2p+14,
                            0x1.645fd8a4bb85dp+12, 0x1.52cac2371011ap+10, 0x1.14eacb1ad034fp+8,
                            0x1.8be202d26c706p+5);
        else
          return polynomial(u, 0x1.3146eep+6f, -0x1.ac44b0p+3f, -0x1.38a7c0p+5f, 0x1.b6e080p+3f,
                            0x1.91a998p+3f, -0x1.a88d06p+2f, -0x1.605b74p+2f, 0x1.2a88d8p+1f,
                            0x1.1e2ddcp+2f);
      },
      a, tail, square);
  return scale(p.high, p.exponent);
}

// erf(x) = x (c + x^2 p(x^2)) for |x| <= 1, c = 2 / sqrt(pi).
template <world_float F> WEFT_INLINE constexpr F erf_near_zero(F const& x) {
  F const z = x * x;
  F const p = [&]() WEFT_LAMBDA {
    if constexpr (is_double<F>)
      return polynomial(z, -0x1.a0fe1d5db0aa7p-38, 0x1.afd3852c11d01p-34, -0x1.57356152a021ep-30,
                        0x1.fe1fcb4fdb6c2p-27, -0x1.5f8df16cdb18fp-23, 0x1.b9e94840161adp-20,
                        -0x1.f4d285da1145dp-17, 0x1.f9a328cf05e2fp-14, -0x1.c02db40df8290p-11,
                        0x1.565bcd0eab7fep-8, -0x1.b82ce3128a1fbp-6, 0x1.ce2f21a042c21p-4,
                        -0x1.812746b0379e7p-2);
    else
      return polynomial(z, -0x1.252cf4p-17f, 0x1.cb3e14p-14f, -0x1.ba9afcp-11f, 0x1.55fc8cp-8f,
                        -0x1.b8260ep-6f, 0x1.ce2ee6p-4f, -0x1.812746p-2f);
  }();
  // x + x (c - 1 + ...): the first product is exact, and a tiny x is rounded once.
  F const rest = fma(z, p, number<F>(0x1.06eba8p-3f, 0x1.06eba8214db69p-3));
  return fma(x, rest, x);
}

// erf(a), a >= 1. float32: 1 - erfc(1) e^(s q(s)), s = a - 1. erfc is less than a fifth of the
// result, so little of the exponential's error counts, and the difference is rounded once.
template <world_float F> WEFT_INLINE constexpr F erf_far_from_zero(F const& a) {
  if constexpr (is_double<F>) return F(1.0f) - erfc_of_magnitude(a);
  else {
    F const s = min(F(3.0f), a - F(1.0f));
    F const q = polynomial(s, 0x1.882608p-13f, -0x1.e0478ap-10f, 0x1.4466bep-7f, -0x1.540628p-5f,
                           -0x1.afacf6p-1f, -0x1.51c9acp+1f);
    return fma(F(-0x1.422616p-3f), elementary::exp_not_above_one(s * q), F(1.0f));
  }
}

// Giles, Approximating the erfinv function (2012), single precision: p(w) x, w = -log(1 - x^2).
template <world_float F> WEFT_INLINE constexpr F erfinv_of_giles(F const& x, F const& w) {
  F const near_w = w - F(2.5f), far_w = sqrt(w) - F(3.0f);
  F const near = polynomial(near_w, 2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f,
                            -4.39150654e-06f, 0.00021858087f, -0.00125372503f, -0.00417768164f,
                            0.246640727f, 1.50140941f);
  F const far = polynomial(far_w, -0.000200214257f, 0.000100950558f, 0.00134934322f,
                           -0.00367342844f, 0.00573950773f, -0.0076224613f, 0.00943887047f,
                           1.00167406f, 2.83297682f);
  return select(w < F(5.0f), near, far) * x;
}

} // namespace detail::math

namespace elementary {

template <world_float F> WEFT_INLINE constexpr F erf(F const& argument) {
  return call(
      math::is_double<F> ? "erf_f64" : "erf",
      [](F const& x) WEFT_LAMBDA {
        F const a = abs(x);
        F const far = math::erf_far_from_zero(a), near = math::erf_near_zero(a);
        F const magnitude = select(a < F(1.0f), near, far);
        return math::copy_sign(magnitude, x);
      },
      argument);
}
template <world_float F> WEFT_INLINE constexpr F erfc(F const& argument) {
  return call(
      math::is_double<F> ? "erfc_f64" : "erfc",
      [](F const& x) WEFT_LAMBDA {
        F const positive = math::erfc_of_magnitude(abs(x)), reflected = F(2.0f) - positive;
        return select(x < F(0.0f), reflected, positive);
      },
      argument);
}

// float32: Giles' polynomial, as JAX and StableHLO's chlo.erf_inv define it (0.5 ulp is not meant).
// float64: from it, Newton and Halley steps on erf (below 1/2) and erfc.
template <world_float F> WEFT_INLINE constexpr F erfinv(F const& argument) {
  return call(
      math::is_double<F> ? "erfinv_f64" : "erfinv",
      [](F const& x) WEFT_LAMBDA {
        F const minus_square = -(x * x), w = -log1p(minus_square), a = abs(x);
        F const start = math::erfinv_of_giles(x, w);
        F value = start;
        if constexpr (math::is_double<F>) {
          // Beyond Giles' range: y^2 + log(y sqrt pi) = -log(erfc y).
          F const tail = w + F(0x1.62e42fefa39efp-1), first = sqrt(w);
          F const asymptotic = sqrt(tail - log(first * F(0x1.c5bf891b4ef6bp+0)));
          F const usual = abs(start);
          F y = select(F(16.0) < w, asymptotic, usual);
          F const one_minus = F(1.0) - a;
          for (int turn = 0; turn < 2; ++turn) {
            F const near_error = math::erf_near_zero(y) - a;
            F const far_error = one_minus - erfc(y);
            F const error = select(a < F(0.5), near_error, far_error);
            F const slope = F(0x1.c5bf891b4ef6bp-1) * exp(y * y); // sqrt(pi) / 2 / e^-y^2
            F const step = error * slope, half = fma(step, y, F(1.0));
            y = y - step / half;
          }
          value = math::copy_sign(y, x);
        }
        F const edge = math::copy_sign(math::infinite<F>(), x);
        F const outside = select(a == F(1.0f), edge, math::not_a_number<F>());
        F const inside = select(a < F(1.0f), value, outside);
        return select(x == F(0.0f), x, inside);
      },
      argument);
}

// x Phi(x), Phi the normal distribution: -a Phi(-a) below 0, x - a Phi(-a) above, a = |x|.
template <world_float F> WEFT_INLINE constexpr F gelu(F const& argument) {
  return call(
      math::is_double<F> ? "gelu_f64" : "gelu",
      [](F const& x) WEFT_LAMBDA {
        F const a = min(math::number<F>(15.0f, 39.0), abs(x)), minus_half = a * F(-0.5f);
        auto const square = math::exact_product(minus_half, a);
        math::scaled_tail<F> const tail{math::number<F>(3.0f, 5.0),
                                        math::number<F>(0.1875f, 0.109375),
                                        math::number<F>(0x1.97c62ap-1f, 0x1.ac22156557fefp-1),
                                        math::number<F>(0x1.1665e4p-26f, 0x1.b82b72d4cea9dp-59),
                                        math::number<F>(0x1.b4f672p+1f, 0x1.eaf027ffcc51ap+2),
                                        F(1.0f),
                                        math::number<F>(0x1.988454p-2f, 0x1.9884533d43651p-2)};
        auto const p = math::times_exp(
            [](F const& u) WEFT_LAMBDA {
              if constexpr (math::is_double<F>)
                return math::polynomial(
                    u, -0x1.151d86bf12d89p+49, 0x1.343084478f6c1p+45, 0x1.6dc3f10a949c1p+44,
                    -0x1.c6200da2abb24p+41, -0x1.c26d9d073cc63p+36, 0x1.b876e740ca35ep+37,
                    -0x1.ec05c8c6d1cd4p+34, -0x1.97c4fc2908f00p+33, 0x1.51c3f7d0ca478p+31,
                    0x1.abf298f25a3b0p+29, -0x1.65c2431aef8b6p+27, -0x1.0f858b143d75dp+26,
                    0x1.2b070374c1e21p+23, 0x1.8cd771ea7b58cp+22, 0x1.2983341b38a92p+12,
                    -0x1.1825e96dfeb72p+19, -0x1.f18f131582d6bp+16, 0x1.5a9222600090bp+14,
                    0x1.5ff2792fd497ap+14, 0x1.fc49d3567391dp+12, 0x1.f49b5fdc3a4c3p+10,
                    0x1.7dd752a035591p+8, 0x1.da39fb75d3defp+5);
              else
                return math::polynomial(u, 0x1.0d46c2p+7f, 0x1.a75bc2p+11f, -0x1.477fcap+9f,
                                        -0x1.2b54c2p+9f, 0x1.97f7c4p+7f, 0x1.5097a0p+6f,
                                        -0x1.6e9930p+5f, -0x1.2cee16p+4f, 0x1.1b5468p+3f,
                                        0x1.1c1dbep+3f);
            },
            a, tail, square);
        F const product_low = a * p.low, product = fma(a, p.high, product_low);
        F const part = math::scale(product, p.exponent), minus = -part, above = x - part;
        return select(x < F(0.0f), minus, above);
      },
      argument);
}

} // namespace elementary
} // namespace weft::inline v0
