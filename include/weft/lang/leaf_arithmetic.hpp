// SPDX-License-Identifier: BSL-1.0
// The type that floats compute in: functions of several ops compute 16-bit floats in float and round
// the result once; what is recorded for float and double is what is written.
//   return rounded_once([](auto const& a, auto const& b) { return a * b + 1; }, x, scale);
//   return in_leaf_arithmetic(f, w, g);         // leaves of structures: rates of any type beside them
// Needs: elementwise.hpp. Leaves: results of the arrays' type. Numbers meet float, not 16 bits, at
// the immediate door too where the function object derives from rounded_once_call.
#pragma once

#include <weft/lang/elementwise.hpp>

namespace weft::inline v0::detail {

// The type that leaves of T compute in, and that several leaves share.
template <class... T>
using leaf_arithmetic = std::conditional_t<(std::is_same_v<T, double> || ...), double, float>;

// An array with elements T; numbers stay, they take the type of the array that they meet.
template <class T, class X> constexpr decltype(auto) number_in(X const& x) {
  if constexpr (number_literal<X> || element_agrees<T, X>) return (x);
  else return convert<T>(x);
}
template <class Like, class X> constexpr decltype(auto) number_like(Like const&, X const& x) {
  return number_in<element_of<Like>>(x);
}
// f of leaves in the type that they compute in; the result in theirs.
template <class F, class A, class... B>
constexpr auto in_leaf_arithmetic(F const& f, A const& a, B const&... b) {
  using T = element_of<A>;
  using wide = leaf_arithmetic<T>;
  if constexpr (std::is_same_v<T, wide>) return f(a, b...);
  else return convert<T>(f(convert<wide>(a), number_in<wide>(b)...));
}

template <class T> concept has_16_bits = std::is_same_v<T, bf16> || std::is_same_v<T, f16>;
// What may stand in a call of arrays of T: these, numbers, and one float.
template <class T, class X>
inline constexpr bool widens_with = number_literal<X> || std::is_same_v<element_of<X>, T> ||
                                    (std::is_same_v<element_of<X>, float> &&
                                     shape_of_operand<X>::rank == 0);
// f of arrays, those of 16-bit floats in float; mixed types are f's error.
template <class F, class... X> constexpr auto rounded_once(F const& f, X const&... x) {
  using T = common_element<X...>;
  if constexpr (has_16_bits<T> && (widens_with<T, X> && ...))
    return convert<T>(f(number_in<float>(x)...));
  else return f(x...);
}
// The base of function objects that call it.
struct rounded_once_call {
  template <class T> using wide = std::conditional_t<has_16_bits<T>, float, T>;
  template <int K, class... X> using number = wide<common_element<X...>>;
};

} // namespace weft::inline v0::detail
