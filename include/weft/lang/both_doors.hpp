// SPDX-License-Identifier: BSL-1.0
// Functions over the public ones, written once for both doors: a function object F says what is
// computed from traced arrays; these call it on them, or make it one program of tensors.
//   template <class X> constexpr auto silu(X const& x) {
//     return detail::lazily_at_door<silu_call>(x);
//   }
// Needs: expression.hpp. Leaves: an expression (lazily: elementwise functions) or tensors (now).
#pragma once

#include <weft/lang/expression_composites.hpp>
#include <weft/lang/expression_elementwise.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

template <class F, class... X> constexpr auto lazily_at_door(X const&... x) {
  if constexpr (immediate_call<X...>) return lazily<F>(x...);
  else return F{}(x...);
}
// Part I of what F gives, with F's rule for numbers.
template <class F, int I> struct part_call : F {
  constexpr auto operator()(auto const&... x) const { return std::get<I>(F{}(x...)); }
};
template <class R> inline constexpr bool is_pair = false;
template <class A, class B> inline constexpr bool is_pair<std::pair<A, B>> = true;
// A pair of tensors is two programs, one for each part: what both need is computed twice.
template <class F, class... X> constexpr auto now_at_door(X const&... x) {
  if constexpr (immediate_call<X...>) {
    if constexpr (is_pair<decltype(F{}(std::declval<traced_operand<X>>()...))>)
      return std::pair(now<part_call<F, 0>>(x...), now<part_call<F, 1>>(x...));
    else return now<F>(x...);
  } else return F{}(x...);
}

} // namespace detail

// Anything that an array function takes as its main operand, at either door.
template <class X> concept any_array = traced_array<std::remove_cvref_t<X>> || array_value<X>;

} // namespace weft::inline v0
