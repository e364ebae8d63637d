// SPDX-License-Identifier: BSL-1.0
// Windows whose place the run gives: dynamic_slice, dynamic_update_slice, as StableHLO's.
//   dynamic_slice<2, 3>(x, i, j)   dynamic_update_slice(x, y, i, j)
// Needs: at.hpp. Leaves: starts are clamped so that the window fits; they do not count from the end
// (at<"$">(x, i) does). A named extent in a window is the array's own.
#pragma once

#include <weft/lang/at.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr bool may_be_window(extents const& window, extents const& whole) {
  if (window.rank != whole.rank) return false;
  for (int i = 0; i < whole.rank; ++i) {
    bool const numbers = !is_named(window[i]) && !is_named(whole[i]);
    if (numbers ? window[i] > whole[i] : is_named(window[i]) && window[i] != whole[i]) return false;
  }
  return true;
}
template <class Window, class Whole> concept window_of = may_be_window(Window::value, Whole::value);

// One error at most; false after it.
template <bool Update, class Window, class Whole, class... I> consteval bool check_window() {
  if constexpr (Update)
    static_assert(
        window_of<Window, Whole>,
        "weft: dynamic_update_slice: the window has another rank than the array, or is larger");
  else
    static_assert(window_of<Window, Whole>,
                  "weft: dynamic_slice: the window has another rank than the array, or is larger");
  if constexpr (window_of<Window, Whole>) {
    constexpr bool one_each = sizeof...(I) == Whole::rank;
    if constexpr (Update)
      static_assert(one_each, "weft: dynamic_update_slice: give one start for each axis");
    else static_assert(one_each, "weft: dynamic_slice: give one start for each axis");
    return sizeof...(I) == Whole::rank && (check_index_type<I>() && ...);
  } else return false;
}

} // namespace detail

// E... elements of x from (i...) on: dynamic_slice<2>(x, 7) of a (5) is x[3:5].
template <auto... E, class A, class... I>
  requires(traced_call<A, I...> && !number_literal<A>)
constexpr auto dynamic_slice(A const& a, I const&... start) {
  using T = detail::element_of<A>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, start...);
  if constexpr (detail::check_window<false, shape<E...>, S, I...>()) {
    detail::index_nodes<I...> starts(r, start...);
    return traced<T, E...>{
        dynamic_slice(detail::node_of<T>(r, a, S::value), shape<E...>::value, starts)};
  } else return detail::as_traced(r, a);
}
// x with the window from (i...) on replaced by y.
template <class A, class Y, class... I>
  requires(traced_call<A, Y, I...> && !number_literal<A>)
constexpr auto dynamic_update_slice(A const& a, Y const& y, I const&... start) {
  using T = detail::element_of<A>;
  using S = detail::shape_of_operand<A>;
  using W = detail::shape_of_operand<Y>;
  recorder& r = detail::recorder_of(a, y, start...);
  constexpr bool typed = detail::check_elements<T, A, Y>();
  if constexpr (typed && detail::check_window<true, W, S, I...>()) {
    detail::index_nodes<I...> starts(r, start...);
    return traced_of<T, S::value>{dynamic_update_slice(detail::node_of<T>(r, a, S::value),
                                                       detail::node_of<T>(r, y, W::value), starts)};
  } else return detail::as_traced(r, a);
}

} // namespace weft::inline v0
