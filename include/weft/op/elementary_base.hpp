// SPDX-License-Identifier: BSL-1.0
// What the definitions of elementary_*.hpp share: constants of both float widths, sums and products
// with their rounding errors, powers of two, rounding to an integer, wide products of words.
// Needs: F (or U) a type of one world. Leaves: every helper writes at most one statement per
// argument (see op/elementary.hpp). A pair (high, low) stands for the unrounded sum high + low.
#pragma once

#include <weft/op/elementary_wide.hpp>

namespace weft::inline v0 {
namespace detail::math {

template <world_float F> inline constexpr bool is_double = world_wide<F>;

template <class F> inline constexpr int fraction_bits = is_double<F> ? 52 : 23;
template <class F> inline constexpr int exponent_bias = is_double<F> ? 1023 : 127;

// In the scalar world long helpers are functions, called: what inlines them is compiled much slower.
// So they stand twice below, as `f_steps` inlined into packs and text, and as `f`.
template <class F>
concept scalar_float = world_float<F> &&
                       (std::same_as<F, scalar::f32> || std::same_as<F, scalar::f64>);

// The number of this width.
template <world_float F>
WEFT_INLINE constexpr F number([[maybe_unused]] float narrow, [[maybe_unused]] double wide) {
  if constexpr (is_double<F>) return F(wide);
  else return F(narrow);
}
template <world_uint U>
WEFT_INLINE constexpr U word_number([[maybe_unused]] std::uint32_t narrow,
                                    [[maybe_unused]] std::uint64_t wide) {
  if constexpr (is_double<typename U::f>) return U(wide);
  else return U(narrow);
}
template <world_float F> WEFT_INLINE constexpr F infinite() {
  return number<F>(infinity, std::bit_cast<double>(0x7ff0000000000000u));
}
template <world_float F> WEFT_INLINE constexpr F minus_infinite() {
  return number<F>(-infinity, std::bit_cast<double>(0xfff0000000000000u));
}
template <world_float F> WEFT_INLINE constexpr F not_a_number() {
  return number<F>(quiet_nan, std::bit_cast<double>(0x7ff8000000000000u));
}
template <world_float F> WEFT_INLINE constexpr F smallest_normal() {
  return number<F>(0x1p-126f, 0x1p-1022);
}
template <world_uint U> WEFT_INLINE constexpr U sign_bit_of() {
  return word_number<U>(0x80000000u, 0x8000000000000000u);
}

// ((leading * x + c0) * x + c1) ...
template <world_float F, class... Coefficient>
WEFT_INLINE constexpr F polynomial(F const& x, auto leading, Coefficient... lower) {
  F p(leading);
  ((p = fma(p, x, F(lower))), ...);
  return p;
}

// |magnitude| with the sign bit of `sign`.
template <world_float F> WEFT_INLINE constexpr F copy_sign(F const& magnitude, F const& sign) {
  using U = typename F::u;
  U const sign_bit = bits(sign) & sign_bit_of<U>();
  return as_float(bits(abs(magnitude)) | sign_bit);
}
template <world_float F> WEFT_INLINE constexpr auto has_sign_bit(F const& x) {
  using U = typename F::u;
  return sign_bit_of<U>() <= bits(x);
}

// 2^n for n of normal floats, modulo the width.
template <world_uint U> WEFT_INLINE constexpr typename U::f two_to(U const& n) {
  using F = typename U::f;
  return as_float(shl(n + U(static_cast<unsigned>(exponent_bias<F>)), fraction_bits<F>));
}
// x 2^n in two factors, so that a subnormal result is rounded once; |n| below twice the bias.
template <world_float F> WEFT_INLINE constexpr F scale(F const& x, typename F::u const& n) {
  if constexpr (requires { times_power_of_two(x, x); })
    return times_power_of_two(x, to_float(as_int(n)));
  else {
    using U = typename F::u;
    U const half = as_uint(sar(as_int(n), 1));
    F const scaled = x * two_to(half);
    return scaled * two_to(n - half);
  }
}

template <world_float F> struct pair_of {
  F high, low;
};
// Exact; fast_sum needs |a| >= |b| or a = 0.
template <world_float F> WEFT_INLINE constexpr pair_of<F> fast_sum(F const& a, F const& b) {
  F const s = a + b, rest = a - s;
  return {s, rest + b};
}
template <world_float F> WEFT_INLINE constexpr pair_of<F> exact_sum(F const& a, F const& b) {
  F const s = a + b, b_part = s - a, a_part = s - b_part;
  F const a_rest = a - a_part, b_rest = b - b_part;
  return {s, a_rest + b_rest};
}
template <world_float F> WEFT_INLINE constexpr pair_of<F> exact_product(F const& a, F const& b) {
  F const p = a * b, minus = -p;
  return {p, fma(a, b, minus)};
}
// n / (d + d_low), d and n finite, d not 0.
template <world_float F>
WEFT_INLINE constexpr pair_of<F> quotient(F const& n, F const& d, F const& d_low) {
  F const q = n / d, minus = -q;
  F const rest = fma(minus, d_low, fma(minus, d, n));
  return {q, rest / d};
}
// The root of s + s_low; of 0: 0.
template <world_float F> WEFT_INLINE constexpr pair_of<F> square_root(F const& s, F const& s_low) {
  F const r = sqrt(s), minus = -r;
  F const rest = fma(minus, r, s) + s_low, twice = max(r + r, smallest_normal<F>());
  return {r, rest / twice};
}

// The nearest integer, ties to even, of |x| below 2^(fraction_bits - 1); and as an integer.
template <world_float F> struct rounded_number {
  F value;
  typename F::u word;
};
template <world_float F> WEFT_INLINE constexpr F rounding_constant() {
  return number<F>(0x1.8p+23f, 0x1.8p+52);
}
template <world_float F> WEFT_INLINE constexpr rounded_number<F> nearest_integer(F const& shifted) {
  using U = typename F::u;
  return {shifted - rounding_constant<F>(),
          bits(shifted) - word_number<U>(0x4b400000u, 0x4338000000000000u)};
}
// The nearest integer of x >= 0, however large.
template <world_float F> WEFT_INLINE constexpr F round_magnitude(F const& x) {
  F const limit = number<F>(0x1p+23f, 0x1p+52);
  F const rounded = (x + limit) - limit;
  return select(x < limit, rounded, x);
}

// The upper half of a * b.
template <world_uint U> WEFT_INLINE constexpr U upper_product(U const& a, U const& b) {
  constexpr int half = is_double<typename U::f> ? 32 : 16;
  U const low = word_number<U>(0xffffu, 0xffffffffu);
  U const a0 = a & low, a1 = shr(a, half), b0 = b & low, b1 = shr(b, half);
  U const p00 = a0 * b0, p10 = a1 * b0, p01 = a0 * b1, p11 = a1 * b1;
  U const middle = p10 + shr(p00, half), cross = p01 + (middle & low);
  U const carried = p11 + shr(middle, half);
  return carried + shr(cross, half);
}

} // namespace detail::math

namespace elementary {
namespace math = detail::math;
} // namespace elementary
namespace meaning {
namespace math = detail::math;
} // namespace meaning

} // namespace weft::inline v0
