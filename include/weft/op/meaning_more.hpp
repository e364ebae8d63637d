// SPDX-License-Identifier: BSL-1.0
// Continues op/meaning.hpp: remainders, powers, signs and bit counts of integers, beside their float
// forms. Functions of floats alone have no entry here: their rows name elementary::f.
// Needs, leaves: as op/meaning.hpp. Integers: x rem 0 = x, lowest rem -1 = 0; floor_divide by 0 has
// all bits set and lowest / -1 is lowest; powers wrap, and a negative exponent gives the integer part.
#pragma once

#include <weft/op/elementary_erf.hpp>
#include <weft/op/elementary_exp.hpp>
#include <weft/op/elementary_gamma.hpp>
#include <weft/op/elementary_hyperbolic.hpp>
#include <weft/op/elementary_pow.hpp>
#include <weft/op/elementary_round.hpp>
#include <weft/op/elementary_trig.hpp>
#include <weft/op/meaning.hpp>

namespace weft::inline v0 {
namespace detail::math {

// The bits of an integer as unsigned.
template <world_integer T> WEFT_INLINE constexpr typename T::u unsigned_bits(T const& x) {
  if constexpr (world_int<T>) return as_uint(x);
  else return x;
}
template <world_integer T> WEFT_INLINE constexpr T from_unsigned_bits(typename T::u const& x) {
  if constexpr (world_int<T>) return as_int(x);
  else return x;
}

} // namespace detail::math

namespace meaning {

// remainders and powers of integers
template <world_uint U> WEFT_INLINE constexpr U remainder(U const& a, U const& b) {
  auto const by_zero = b == U(0u);
  U const r = a % select(by_zero, U(1u), b);
  return select(by_zero, a, r);
}
template <world_int I> WEFT_INLINE constexpr I remainder(I const& a, I const& b) {
  auto const by_zero = b == I(0), replaced = by_zero | (b == I(-1)); // x rem 1 is what x rem -1 is
  I const r = a % select(replaced, I(1), b);
  return select(by_zero, a, r);
}
template <world_integer T> WEFT_INLINE constexpr T mod_floor(T const& a, T const& b) {
  T const r = meaning::remainder(a, b);
  if constexpr (world_uint<T>) return r;
  else {
    T const zero(0), moved = r + b;
    auto const r_negative = r < zero, signs_differ = r_negative ^ (b < zero);
    auto const whole = (r == zero) | (b == zero);
    T const same = select(signs_differ, moved, r);
    return select(whole, r, same);
  }
}
template <world_integer T> WEFT_INLINE constexpr T floor_divide(T const& a, T const& b) {
  T const q = meaning::div(a, b);
  if constexpr (world_uint<T>) return q;
  else {
    T const zero(0), r = meaning::remainder(a, b), below = q - T(1);
    auto const r_negative = r < zero, signs_differ = r_negative ^ (b < zero);
    auto const whole = (r == zero) | (b == zero);
    T const lower = select(signs_differ, below, q);
    return select(whole, q, lower);
  }
}
template <world_integer T> WEFT_INLINE constexpr T pow(T const& base, T const& exponent) {
  using U = typename T::u;
  U left = math::unsigned_bits(exponent);
  T power = base, result(1);
  for (int bit = 0; bit < bit_width_of<T>; ++bit) {
    U const low = left & U(1u);
    T const longer = result * power;
    result = select(low == U(0u), result, longer);
    power = power * power;
    left = shr(left, 1);
  }
  if constexpr (world_uint<T>) return result;
  else {
    // 1 / base^n: of 1 and -1 the power itself, since only the parity of n counts.
    auto const one = base == T(1), unit = one | (base == T(-1));
    T const inverse = select(unit, result, T(0));
    return select(exponent < T(0), inverse, result);
  }
}
template <world_integer T> WEFT_INLINE constexpr T sign(T const& x) {
  if constexpr (world_uint<T>) return select(x == T(0u), T(0u), T(1u));
  else {
    T const not_negative = select(x == T(0), T(0), T(1));
    return select(x < T(0), T(-1), not_negative);
  }
}

// bits of integers: how many are set, how many zeros stand before the first
template <world_integer T> WEFT_INLINE constexpr T popcount(T const& x) {
  using U = typename T::u;
  using Number = number_of<U>;
  constexpr Number all = static_cast<Number>(~Number{0});
  U const b = math::unsigned_bits(x), pairs = b - (shr(b, 1) & U(static_cast<Number>(all / 3)));
  U const low_pairs = pairs & U(static_cast<Number>(all / 5));
  U const fours = low_pairs + (shr(pairs, 2) & U(static_cast<Number>(all / 5)));
  U sum = (fours + shr(fours, 4)) & U(static_cast<Number>(all / 17));
  for (int width = 8; width < bit_width_of<T>; width *= 2) sum = sum + shr(sum, width);
  return math::from_unsigned_bits<T>(sum & U(static_cast<Number>(127u)));
}
template <world_integer T> WEFT_INLINE constexpr T count_leading_zeros(T const& x) {
  using U = typename T::u;
  U filled = math::unsigned_bits(x);
  for (int distance = 1; distance < bit_width_of<T>; distance *= 2)
    filled = filled | shr(filled, distance);
  return math::from_unsigned_bits<T>(meaning::popcount(~filled));
}

// floats, where integers have a form of their own
template <world_float F> WEFT_INLINE constexpr F pow(F const& a, F const& b) {
  return elementary::pow(a, b);
}
template <world_float F> WEFT_INLINE constexpr F remainder(F const& a, F const& b) {
  return elementary::remainder(a, b);
}
template <world_float F> WEFT_INLINE constexpr F mod_floor(F const& a, F const& b) {
  return elementary::mod_floor(a, b);
}
template <world_float F> WEFT_INLINE constexpr F floor_divide(F const& a, F const& b) {
  return elementary::floor_divide(a, b);
}
template <world_float F> WEFT_INLINE constexpr F sign(F const& a) { return elementary::sign(a); }

} // namespace meaning
} // namespace weft::inline v0
