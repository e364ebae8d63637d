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

namespace weft::inline v0 {
namespace detail {

template <class F, class... X> constexpr auto lazily_at_door(X const&... x) {
  if constexpr (immediate_call<X...>) return lazily<F>(x...);
  else return F{}(x...);
}
template <class F, class... X> constexpr auto now_at_door(X const&... x) {
  if constexpr (immediate_call<X...>) return now<F>(x...);
  else return F{}(x...);
}

} // namespace detail

// Anything that an array function takes as its main operand, at either door.
template <class X> concept any_array = traced_array<std::remove_cvref_t<X>> || array_value<X>;

} // namespace weft::inline v0
