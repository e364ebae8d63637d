// SPDX-License-Identifier: BSL-1.0
// convert and bitcast, between all element types, in any world.
//   convert<From, To>(x), bitcast<From, To>(x)   by dtype, what executors run: x is computed as
//       compute_type of From, the result as that of To, rounded if To is a 16-bit float
//   convert_to<T>(x), bitcast_to<T>(x)           by the types of a world
// Leaves: one rounding, to nearest even, whatever the types; integers wrap into each other; float to
// integer truncates and saturates, NaN gives 0; a mask is 0 or 1; to a mask is != 0. bitcast keeps
// the bits; a NaN that becomes bits is the positive quiet one without payload.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/elementary.hpp>

namespace weft::inline v0 {
namespace detail {

// Rounding to odd: what is inexact gets an odd last place, so that rounding it again to at least two
// bits fewer is the only rounding that counts (Boldo, Melquiond, 2008).

// x, a multiple of 2^Drop if it has more than `digits` bits: to_float of it is exact.
template <int Drop, world_integer I> WEFT_INLINE constexpr I odd_integer(I const& x) {
  using U = typename I::u;
  using Number = number_of<U>;
  constexpr int digits = bit_width_of<I> - Drop;
  constexpr Number low = (Number{1} << Drop) - 1, limit = Number{1} << digits;
  auto as_bits = [](I const& v) WEFT_LAMBDA {
    if constexpr (world_int<I>) return as_uint(v);
    else return v;
  };
  U const b = as_bits(x), lost = b & U(low);
  U const odd = select(lost == U(0u), U(0u), U(low + 1)), kept = (b & ~U(low)) | odd;
  U const from_lowest = world_int<I> ? b + U(limit) : b;
  U const r = select(from_lowest < U(world_int<I> ? 2 * limit : limit), b, kept);
  if constexpr (world_int<I>) return as_int(r);
  else return r;
}
template <world_float F> WEFT_INLINE constexpr typename F::narrow odd_narrow(F const& x) {
  using U = typename F::narrow::u;
  auto const nearest = narrow(x);
  F const back = widen(nearest);
  U const b = bits(nearest), last = b & U(1u);
  auto const exact = (back == x) | !(x == x), odd = exact | (last == U(1u));
  U const outwards = select(abs(back) < abs(x), U(1u), U(0xffffffffu));
  return as_float(b + select(odd, U(0u), outwards));
}
// The float32 that is x or has an odd last place.
template <world_value X> WEFT_INLINE constexpr world_of<X> odd_single(X const& x) {
  using F = world_of<X>;
  if constexpr (world_mask<X>) return select(x, F(1.0f), F(0.0f));
  else if constexpr (world_float<X>) {
    if constexpr (world_wide<X>) return odd_narrow(x);
    else return x;
  } else if constexpr (world_wide<X>) return odd_narrow(to_float(odd_integer<11>(x)));
  else if constexpr (is_narrow_int<X>) return to_float(x);
  else return to_float(odd_integer<8>(x));
}

// An integer of any width as one of 32 bits: the low bits.
template <world_integer X> WEFT_INLINE constexpr auto as_32_bits(X const& x) {
  if constexpr (is_narrow_int<X>) return x.value;
  else if constexpr (world_wide<X>) return narrow(x);
  else return x;
}
// The same bits, an int or unsigned as To is.
template <world_integer To, world_integer X> WEFT_INLINE constexpr auto with_kind_of(X const& x) {
  if constexpr (world_int<To> && world_uint<X>) return as_int(x);
  else if constexpr (world_uint<To> && world_int<X>) return as_uint(x);
  else return x;
}
template <world_integer To, world_integer X>
WEFT_INLINE constexpr To integer_to_integer(X const& x) {
  if constexpr (is_narrow_int<To>) return To::wrapped(with_kind_of<To>(as_32_bits(x)));
  else if constexpr (world_wide<To> && !world_wide<X>)
    return with_kind_of<To>(widen(as_32_bits(x)));
  else if constexpr (world_wide<To>) return with_kind_of<To>(x);
  else return with_kind_of<To>(as_32_bits(x));
}

template <world_float To, world_integer X> WEFT_INLINE constexpr To integer_to_float(X const& x) {
  if constexpr (world_wide<X> && !world_wide<To>) return narrow(to_float(odd_integer<11>(x)));
  else if constexpr (world_wide<To> && !world_wide<X>) return to_float(widen(as_32_bits(x)));
  else return to_float(x);
}

// Truncation to an int or unsigned of To's kind and X's width, x in its range.
template <world_integer To, world_float X> WEFT_INLINE constexpr auto truncate(X const& x) {
  if constexpr (world_int<To>) return to_int(x);
  else return to_uint(x);
}
template <class Number> constexpr Number power_of_two_number(int exponent) {
  Number r = 1;
  for (int i = 0; i < exponent; ++i) r *= 2;
  return r;
}
template <world_integer To, world_float X> WEFT_INLINE constexpr To float_to_integer(X const& x) {
  using Float = number_of<X>;
  constexpr int digits = detail::value_digits<number_of<To>>;
  constexpr int float_digits = detail::value_digits<Float>;
  if constexpr (bit_width_of<To> > bit_width_of<X>) return float_to_integer<To>(widen(x));
  else {
    // The bounds, or where the upper one is no float: the float below 2^digits.
    constexpr bool has_bound = digits <= float_digits;
    constexpr Float power = power_of_two_number<Float>(digits);
    constexpr Float low = world_int<To> ? -power : Float{0};
    constexpr Float high = has_bound ? power - 1
                                     : power - power / power_of_two_number<Float>(float_digits);
    auto in_range = [&] {
      if constexpr (world_int<To>) return max(X(low), min(X(high), select(x == x, x, X(0.0f))));
      else return min(X(high), select(X(0.0f) < x, x, X(0.0f)));
    };
    auto const truncated = truncate<To>(in_range());
    if constexpr (has_bound) return integer_to_integer<To>(truncated);
    else return select(X(power) <= x, highest_of<To>(), truncated);
  }
}

} // namespace detail

namespace meaning {

template <world_value To, world_value From>
  requires std::same_as<typename To::m, typename From::m>
WEFT_INLINE constexpr To convert_to(From const& x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (world_mask<From>) return select(x, To(1), To(0));
  else if constexpr (world_mask<To>) return !(x == From(0));
  else if constexpr (world_float<To> && world_float<From>) {
    if constexpr (world_wide<To>) return widen(x);
    else return narrow(x);
  } else if constexpr (world_float<To>) return detail::integer_to_float<To>(x);
  else if constexpr (world_float<From>) return detail::float_to_integer<To>(x);
  else return detail::integer_to_integer<To>(x);
}
template <dtype From, dtype To, world_value X> WEFT_INLINE constexpr auto convert(X const& x) {
  if constexpr (From == To) return x;
  else if constexpr (is_half(To)) return elementary::round_to<To>(detail::odd_single(x));
  else return convert_to<compute_type<world_of<X>, To>>(x);
}

template <world_number To, world_number From>
  requires std::same_as<typename To::m, typename From::m> &&
           (bit_width_of<To> == bit_width_of<From>)
WEFT_INLINE constexpr To bitcast_to(From const& x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (world_float<From>) {
    using U = typename From::u;
    U const b = bits(x);
    U const canonical = select(x == x, b,
                               U(detail::soft::bits(detail::soft::quiet_nan<number_of<From>>)));
    return detail::with_kind_of<To>(canonical);
  } else if constexpr (world_float<To>) return as_float(detail::with_kind_of<typename From::u>(x));
  else return detail::with_kind_of<To>(x);
}
template <dtype From, dtype To, world_number X>
  requires(size_of(From) == size_of(To))
WEFT_INLINE constexpr auto bitcast(X const& x) {
  using F = world_of<X>;
  using U = typename F::u;
  if constexpr (From == To) return x;
  else if constexpr (is_half(From)) {
    U const b = elementary::half_bits<From>(x);
    U const canonical = select(x == x, b, U(From == dtype::bf16 ? 0x7fc0u : 0x7e00u));
    return bitcast<dtype::u16, To>(compute_type<F, dtype::u16>::extended(canonical));
  } else if constexpr (is_half(To))
    return elementary::from_half_bits<To>(detail::with_kind_of<U>(x).value);
  else return bitcast_to<compute_type<F, To>>(x);
}

} // namespace meaning
} // namespace weft::inline v0
