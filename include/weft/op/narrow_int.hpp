// SPDX-License-Identifier: BSL-1.0
// Integers of 8 and 16 bits in any world: a wrapper of the world's int32 or uint32, so that a world
// gets them for nothing. And what constants of a kind depend on: width, lowest, highest, all ones.
// Needs: I the 32-bit int or uint of a world. Leaves: the value always sign- or zero-extended in
// `value`; every operator computes there and wraps; the same primitives as any integer has.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/op/numeric.hpp>

namespace weft::inline v0 {

template <world_integer I, int Bits> struct narrow_int {
  static_assert(Bits == 8 || Bits == 16);
  static constexpr bool is_signed = world_int<I>;
  static constexpr int bit_width = Bits, unused = 32 - Bits;
  using signed_number = std::conditional_t<Bits == 8, std::int8_t, std::int16_t>;
  using number = std::conditional_t<is_signed, signed_number, std::make_unsigned_t<signed_number>>;
  using f = typename I::f;
  using i = narrow_int<typename I::i, Bits>;
  using u = narrow_int<typename I::u, Bits>;
  using m = typename I::m;
  I value;

  narrow_int() = default;
  constexpr explicit narrow_int(number x)
      : value(static_cast<std::conditional_t<is_signed, std::int32_t, std::uint32_t>>(x)) {}
  // x, which is in range.
  WEFT_INLINE static constexpr narrow_int extended(I const& x) { return narrow_int(in_range{}, x); }
  // The low bits of x.
  WEFT_INLINE static constexpr narrow_int wrapped(I const& x) {
    if constexpr (is_signed) return extended(sar(as_int(shl(as_uint(x), unused)), unused));
    else return extended(x & I(low_bits));
  }

  WEFT_INLINE friend constexpr narrow_int operator+(narrow_int const& a, narrow_int const& b) {
    return wrapped(a.value + b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator-(narrow_int const& a, narrow_int const& b) {
    return wrapped(a.value - b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator*(narrow_int const& a, narrow_int const& b) {
    return wrapped(a.value * b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator/(narrow_int const& a, narrow_int const& b) {
    return wrapped(a.value / b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator%(narrow_int const& a, narrow_int const& b) {
    return extended(a.value % b.value);
  }
  WEFT_INLINE friend constexpr auto operator<(narrow_int const& a, narrow_int const& b) {
    return a.value < b.value;
  }
  WEFT_INLINE friend constexpr auto operator<=(narrow_int const& a, narrow_int const& b) {
    return a.value <= b.value;
  }
  WEFT_INLINE friend constexpr auto operator==(narrow_int const& a, narrow_int const& b) {
    return a.value == b.value;
  }
  WEFT_INLINE friend constexpr narrow_int select(m const& which, narrow_int const& x,
                                                 narrow_int const& y) {
    return extended(select(which, x.value, y.value));
  }
  WEFT_INLINE friend constexpr f to_float(narrow_int const& a) { return to_float(a.value); }

  // signed
  WEFT_INLINE friend constexpr narrow_int operator-(narrow_int const& a)
    requires is_signed
  {
    return wrapped(-a.value);
  }
  WEFT_INLINE friend constexpr narrow_int sar(narrow_int const& a, int n)
    requires is_signed
  {
    return extended(sar(a.value, n));
  }
  WEFT_INLINE friend constexpr narrow_int sarv(narrow_int const& a, u const& n)
    requires is_signed
  {
    return extended(sarv(a.value, n.value));
  }
  WEFT_INLINE friend constexpr u as_uint(narrow_int const& a)
    requires is_signed
  {
    return u::wrapped(as_uint(a.value));
  }

  // unsigned
  WEFT_INLINE friend constexpr i as_int(narrow_int const& a)
    requires(!is_signed)
  {
    return i::wrapped(as_int(a.value));
  }
  WEFT_INLINE friend constexpr narrow_int operator&(narrow_int const& a, narrow_int const& b)
    requires(!is_signed)
  {
    return extended(a.value & b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator|(narrow_int const& a, narrow_int const& b)
    requires(!is_signed)
  {
    return extended(a.value | b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator^(narrow_int const& a, narrow_int const& b)
    requires(!is_signed)
  {
    return extended(a.value ^ b.value);
  }
  WEFT_INLINE friend constexpr narrow_int operator~(narrow_int const& a)
    requires(!is_signed)
  {
    return extended(a.value ^ I(low_bits));
  }
  WEFT_INLINE friend constexpr narrow_int shl(narrow_int const& a, int n)
    requires(!is_signed)
  {
    return wrapped(shl(a.value, n));
  }
  WEFT_INLINE friend constexpr narrow_int shr(narrow_int const& a, int n)
    requires(!is_signed)
  {
    return extended(shr(a.value, n));
  }
  WEFT_INLINE friend constexpr narrow_int rotl(narrow_int const& a, int n)
    requires(!is_signed)
  {
    return wrapped(shl(a.value, n) | shr(a.value, Bits - n));
  }
  WEFT_INLINE friend constexpr narrow_int shlv(narrow_int const& a, narrow_int const& n)
    requires(!is_signed)
  {
    return wrapped(shlv(a.value, n.value));
  }
  WEFT_INLINE friend constexpr narrow_int shrv(narrow_int const& a, narrow_int const& n)
    requires(!is_signed)
  {
    return extended(shrv(a.value, n.value));
  }

private:
  struct in_range {};
  WEFT_INLINE constexpr narrow_int(in_range, I const& x) : value(x) {}
  static constexpr std::uint32_t low_bits = 0xffffffffu >> unused;
};

template <class T> inline constexpr bool is_narrow_int = false;
template <class I, int Bits> inline constexpr bool is_narrow_int<narrow_int<I, Bits>> = true;

// A value of 64 bits.
template <class T>
concept world_wide = world_number<T> && requires { typename T::wide; } &&
                     std::same_as<T, typename T::wide>;

template <world_number T> inline constexpr int bit_width_of = world_wide<T> ? 64 : 32;
template <class I, int Bits> inline constexpr int bit_width_of<narrow_int<I, Bits>> = Bits;

namespace detail {
template <world_number T> constexpr auto number_tag() {
  if constexpr (is_narrow_int<T>) return typename T::number{};
  else if constexpr (world_float<T>) return std::conditional_t<world_wide<T>, double, float>{};
  else if constexpr (world_int<T>)
    return std::conditional_t<world_wide<T>, std::int64_t, std::int32_t>{};
  else return std::conditional_t<world_wide<T>, std::uint64_t, std::uint32_t>{};
}
} // namespace detail
// The C++ type that a kind is constructed from.
template <world_number T> using number_of = decltype(detail::number_tag<T>());

template <world_integer T> WEFT_INLINE constexpr T lowest_of() {
  return T(detail::lowest_number<number_of<T>>);
}
template <world_integer T> WEFT_INLINE constexpr T highest_of() {
  return T(detail::highest_number<number_of<T>>);
}

} // namespace weft::inline v0
