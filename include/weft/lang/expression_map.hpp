// SPDX-License-Identifier: BSL-1.0
// map of tensors: map<f>(a, b) is an expression, as the operators are; map(f, xs) calls f with
// tensors, element after element.
// Needs: map.hpp, expression_scan.hpp. Leaves: nothing computed; tensors.
#pragma once

#include <weft/lang/expression_scan.hpp>
#include <weft/lang/map.hpp>

namespace weft::inline v0 {
namespace detail {

template <auto F> struct map_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::map<F>(x...); }
};
template <class F, class X>
concept map_traced_inside = made_structure<X> && traced_inside<F, slice_of<maker_form<X>>>;

} // namespace detail

template <auto F, class... X>
  requires immediate_call<X...>
constexpr auto map(X&&... x) {
  return detail::lazily<detail::map_call<F>>(std::forward<X>(x)...);
}
template <class F, class X>
  requires(!traced_structure<X> && !immediate_call<F> && !number_literal<std::remove_cvref_t<F>>)
constexpr auto map(F const& f, X const& xs) {
  auto const step = [&f](none_t, auto const& x) { return std::pair(none, f(x)); };
  if constexpr (!detail::check_mapped_over<traced_type<X>>()) return none;
  else if constexpr (detail::map_traced_inside<F, X>) return scan(step, none, xs).second;
  else {
    using E = slice_of<tensor_type<X>>;
    using R = decltype(detail::asked<F, 1>()(std::declval<E const&>()));
    if constexpr (!detail::check_call<R, F, E>()) return none;
    else return scan(step, none, xs).second;
  }
}

} // namespace weft::inline v0
