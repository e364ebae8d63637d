// SPDX-License-Identifier: BSL-1.0
// Elementary functions, bf16 rounding and the random generator, each written once over the
// primitives of op/numeric.hpp, so that every world computes the same bits.
// Needs: F (or U) a type of one world. Leaves: the stated maximum error, in units of the last place
// of the exact result, over every float32 (tests/op/test_elementary.cpp checks it); subnormal
// arguments and results included; a NaN argument gives NaN.
// One argument at most of each call below writes a statement in generated text: C++ leaves the
// order of evaluation open, and the text must not depend on the compiler.
// Polynomials are minimax fits of ours (docs/numerics.md says how), highest degree first.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/op/numeric.hpp>

#include <bit>
#include <cstdint>

namespace weft::inline v0 {
namespace detail {

inline constexpr float infinity = std::bit_cast<float>(0x7f800000u);
inline constexpr float quiet_nan = std::bit_cast<float>(0x7fc00000u);

// ((leading * x + c0) * x + c1) ...
template <world_float F, class... Coefficient>
WEFT_INLINE constexpr F horner(F const& x, float leading, Coefficient... lower) {
  F p(leading);
  ((p = fma(p, x, F(lower))), ...);
  return p;
}

// e^x = 2^n e^r: x = n ln2 + r with ln2 in two parts, |r| <= ln2 / 2. In shifted_power the sum with
// shift = 1.5 * 2^23 + bias rounds to an integer: its low bits are n + bias. No x is in the middle.
template <world_float F> WEFT_INLINE constexpr F shifted_power(F const& x, F const& shift) {
  return fma(x, F(0x1.715476p+0f), shift);
}
// e^r = 1 + r + r^2 q(r).
template <world_float F> WEFT_INLINE constexpr F exp_of_rest(F const& x, F const& n) {
  F const r = fma(n, F(-0x1.7f7d1cp-20f), fma(n, F(-0x1.62e400p-1f), x));
  F const q = horner(r, 0x1.6a452ep-10f, 0x1.1239aap-7f, 0x1.5558b8p-5f, 0x1.555492p-3f,
                     0x1.fffffcp-2f);
  return fma(fma(q, r, F(1.0f)), r, F(1.0f));
}

// |magnitude| with the sign of `sign`; magnitude is not negative.
template <world_float F> WEFT_INLINE constexpr F with_sign_of(F const& sign, F const& magnitude) {
  using U = typename F::u;
  U const sign_bit = bits(sign) & U(0x80000000u);
  return as_float(bits(magnitude) | sign_bit);
}

} // namespace detail

namespace elementary {

// e^x. Maximum error 0.90 ulp. Overflows to inf above 88.72, is 0 below -103.97.
// 2^n in two factors, 2^(n + 64) 2^-64 below 0 and 2^(n - 64) 2^64 above, so that a subnormal result
// is rounded once; their exponents differ in one bit, which is x's sign. 63 is 127 - 64.
template <world_float F> WEFT_INLINE constexpr F exp(F const& argument) {
  return call(
      "exp",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const c = min(F(89.0f), max(F(-104.0f), x)), shift(0x1.8p+23f + 63.0f);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const p = detail::exp_of_rest(c, n);
        if constexpr (requires { times_power_of_two(p, n); }) return times_power_of_two(p, n);
        else {
          U const sign = shr(bits(c), 1) & U(0x40000000u), up = shl(bits(shifted), 23) + sign;
          F const scaled = p * as_float(up);
          return scaled * as_float(U(0x5f800000u) ^ sign);
        }
      },
      argument);
}

// The bits of exp(x) for x that are not above 0: 2^n is 2^(n + 64) 2^-64. 191 is 127 + 64.
template <world_float F> WEFT_INLINE constexpr F exp_not_above_one(F const& argument) {
  return call(
      "exp_not_above_one",
      [](F const& x) WEFT_LAMBDA {
        F const c = max(F(-104.0f), x), shift(0x1.8p+23f + 191.0f);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const p = detail::exp_of_rest(c, n);
        if constexpr (requires { times_power_of_two(p, n); }) return times_power_of_two(p, n);
        else {
          F const scaled = p * as_float(shl(bits(shifted), 23));
          return scaled * F(0x1p-64f);
        }
      },
      argument);
}

// Natural logarithm. Maximum error 0.95 ulp. log(0) = -inf, of a negative number NaN.
// x = 2^k m with m in [2/3, 4/3); log(m) = f - f^2/2 + f^3 p(f), f = m - 1 exact.
template <world_float F> WEFT_INLINE constexpr F log(F const& argument) {
  return call(
      "log",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        auto const subnormal = x < F(0x1p-126f);
        F const scaled = select(subnormal, x * F(0x1p+25f), x);
        U const b = bits(scaled);
        U const exponent = (b - U(0x3f2aaaabu)) & U(0xff800000u); // k 2^23; 0x3f2aaaab is 2/3
        F const shift = select(subnormal, F(-25.0f), F(0.0f));
        F const k = to_float(sar(as_int(exponent), 23)) + shift;
        F const f = as_float(b - exponent) - F(1.0f);
        F const p = detail::horner(f, -0x1.07d518p-3f, 0x1.1e6990p-3f, -0x1.f32c66p-4f,
                                   0x1.1ed606p-3f, -0x1.559c8cp-3f, 0x1.99d048p-3f, -0x1.fffefap-3f,
                                   0x1.555506p-2f);
        F const square = f * f;
        F const tail = fma(k, F(0x1.7f7d1cp-20f), square * fma(p, f, F(-0.5f)));
        F const sum = fma(k, F(0x1.62e400p-1f), tail + f);
        F const outside = select(x == F(0.0f), F(-detail::infinity), F(detail::quiet_nan));
        F const inside = select(F(0.0f) < x, sum, outside);
        return select(x == F(detail::infinity), x, inside);
      },
      argument);
}

// Hyperbolic tangent. Maximum error 1.40 ulp. Odd; tanh(-0) = -0.
// a + a^3 p(a^2) for a = |x| below 0.625, else 1 - 2 / (e^2a + 1); with the sign of x. From e^20 on
// the quotient is lost, so 2^n is a sum of exponents. Of a NaN only the polynomial is one.
template <world_float F> WEFT_INLINE constexpr F tanh(F const& argument) {
  return call(
      "tanh",
      [](F const& x) WEFT_LAMBDA {
        using U = typename F::u;
        F const a = abs(x), z = a * a;
        F const p = detail::horner(z, -0x1.750ce2p-8f, 0x1.51f8cep-6f, -0x1.b835a4p-5f,
                                   0x1.1106f6p-3f, -0x1.555532p-2f);
        F const near = fma(p * z, a, a);
        F const c = min(F(20.0f), a + a), shift(0x1.8p+23f);
        F const shifted = detail::shifted_power(c, shift), n = shifted - shift;
        F const e_r = detail::exp_of_rest(c, n);
        U const exponent = shl(bits(shifted), 23), power = bits(e_r) + exponent;
        F const far = F(1.0f) - F(2.0f) / (as_float(power) + F(1.0f));
        F const magnitude = select(F(0.625f) <= a, far, near);
        return detail::with_sign_of(x, magnitude);
      },
      argument);
}

// 1 / (1 + e^-x). Maximum error 1.50 ulp.
// n / (1 + e) with e = e^-|x| and n = 1 or e; 1 + e is kept exactly as d + d_low, and one Newton
// step on the quotient removes the rounding of d and of 1 / d: the error left is that of exp.
template <world_float F> WEFT_INLINE constexpr F sigmoid(F const& argument) {
  return call(
      "sigmoid",
      [](F const& x) WEFT_LAMBDA {
        F const e = exp_not_above_one(-abs(x));
        F const d = F(1.0f) + e, d_low = e - (d - F(1.0f));
        F const n = select(x < F(0.0f), e, F(1.0f));
        F const reciprocal = F(1.0f) / d, quotient = n * reciprocal, minus = -quotient;
        F const rest = fma(minus, d_low, fma(minus, d, n));
        return fma(rest, reciprocal, quotient);
      },
      argument);
}

// bf16 is the upper half of a float. Nearest even, subnormals kept; a NaN becomes quiet and keeps
// the upper half of its payload.
template <world_float F> WEFT_INLINE constexpr typename F::u bf16_bits(F const& x) {
  using U = typename F::u;
  U const b = bits(x), upper = shr(b, 16);
  U const odd = upper & U(1u), rounded = shr(b + U(0x7fffu) + odd, 16);
  U const quiet = upper | U(0x40u);
  return select(x == x, rounded, quiet);
}
template <world_uint U> WEFT_INLINE constexpr typename U::f from_bf16_bits(U const& x) {
  return as_float(shl(x, 16));
}
// The nearest value that a bf16 holds, still a float.
template <world_float F> WEFT_INLINE constexpr F round_bf16(F const& x) {
  return from_bf16_bits(bf16_bits(x));
}

// f16 has 5 bits of exponent and 10 of fraction. Nearest even, subnormals kept, overflow to
// infinity; a NaN becomes quiet and keeps the upper part of its payload.
// Below 2^-14: adding 1/2, whose last place is 2^-24 as theirs, rounds to the low bits of the sum.
template <world_float F> WEFT_INLINE constexpr typename F::u f16_bits(F const& x) {
  using U = typename F::u;
  U const b = bits(x), magnitude = b & U(0x7fffffffu), sign = shr(b, 16) & U(0x8000u);
  F const small = as_float(magnitude) + F(0.5f);
  U const subnormal = bits(small) - U(0x3f000000u);
  U const odd = shr(magnitude, 13) & U(1u);
  U const normal = shr(magnitude - U(0x38000000u) + U(0xfffu) + odd, 13);
  U const finite = select(magnitude < U(0x38800000u), subnormal, normal);
  U const number = select(magnitude < U(0x47800000u), finite, U(0x7c00u));
  U const payload = shr(magnitude, 13) & U(0x3ffu), quiet = payload | U(0x7e00u);
  U const rounded = select(x == x, number, quiet);
  return sign | rounded;
}
template <world_uint U> WEFT_INLINE constexpr typename U::f from_f16_bits(U const& x) {
  using F = typename U::f;
  U const sign = shl(x & U(0x8000u), 16), magnitude = x & U(0x7fffu), moved = shl(magnitude, 13);
  U const subnormal = bits(to_float(as_int(magnitude)) * F(0x1p-24f));
  U const not_finite = moved | U(0x7f800000u), normal = moved + U(0x38000000u);
  U const large = select(magnitude < U(0x7c00u), normal, not_finite);
  U const value = select(magnitude < U(0x400u), subnormal, large);
  return as_float(sign | value);
}
// The nearest value that an f16 holds, still a float.
template <world_float F> WEFT_INLINE constexpr F round_f16(F const& x) {
  return from_f16_bits(f16_bits(x));
}

// The value of a node of type D, from what was computed: rounded if D is a 16-bit float.
template <dtype D, class T> WEFT_INLINE constexpr T round_to(T const& x) {
  if constexpr (D == dtype::bf16) return round_bf16(x);
  else if constexpr (D == dtype::f16) return round_f16(x);
  else return x;
}
// The bits that store a rounded value of a 16-bit float type D, and back.
template <dtype D, world_float F>
  requires(is_half(D))
WEFT_INLINE constexpr typename F::u half_bits(F const& x) {
  if constexpr (D == dtype::bf16) return bf16_bits(x);
  else return f16_bits(x);
}
template <dtype D, world_uint U>
  requires(is_half(D))
WEFT_INLINE constexpr typename U::f from_half_bits(U const& x) {
  if constexpr (D == dtype::bf16) return from_bf16_bits(x);
  else return from_f16_bits(x);
}

// threefry2x32 with 20 rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC11):
// x and y, the two words of a counter, enciphered by the two words of a key.
template <class U>
WEFT_INLINE constexpr void threefry_rounds(U const& k0, U const& k1, U& x, U& y) {
  U const k2 = k0 ^ k1 ^ U(0x1bd11bdau);
  x = x + k0;
  y = y + k1;
  auto round = [&](int by) WEFT_LAMBDA {
    x = x + y;
    y = rotl(y, by) ^ x;
  };
  auto add = [&](U const& to_x, U const& to_y, unsigned number) WEFT_LAMBDA {
    x = x + to_x;
    y = y + (to_y + U(number));
  };
  auto even = [&]() WEFT_LAMBDA { round(13), round(15), round(26), round(6); };
  auto odd = [&]() WEFT_LAMBDA { round(17), round(29), round(16), round(24); };
  even(), add(k1, k2, 1);
  odd(), add(k2, k0, 2);
  even(), add(k0, k1, 3);
  odd(), add(k1, k2, 4);
  even(), add(k2, k0, 5);
}
template <world_uint U>
WEFT_INLINE constexpr word_pair<U> threefry2x32(U const& key0, U const& key1, U const& counter0,
                                                U const& counter1) {
  return call(
      "threefry2x32",
      [](U const& k0, U const& k1, U const& c0, U const& c1) WEFT_LAMBDA {
        U x = c0, y = c1;
        threefry_rounds(k0, k1, x, y);
        return word_pair<U>{x, y};
      },
      key0, key1, counter0, counter1);
}

} // namespace elementary
} // namespace weft::inline v0
