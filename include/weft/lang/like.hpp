// SPDX-License-Identifier: BSL-1.0
// zeros_like, ones_like and full_like of structures: the same structure with each of its arrays, or
// numbers, filled. Of one array: lang/elementwise.hpp, lang/expression_elementwise.hpp.
//   auto momentum = zeros_like(params);
// Needs: structs of arrays, std::array, pair, tuple; traced leaves in a trace. Errors: a key; a number
// that an array cannot hold.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/structure.hpp>

namespace weft::inline v0 {
namespace detail {

template <class X>
concept structure_to_fill = (struct_of_arrays<X> || is_array<X> || is_tuple<X>)&&!is_leaf<X>;
// (No concept: the compiler would say why, at length.)
template <class L>
inline constexpr bool is_to_fill = traced_array<L> || array_value<L> || number_literal<L>;
template <class... L> consteval bool check_filled(type_list<L...>) {
  constexpr bool all = (is_to_fill<L> && ...);
  static_assert(all, "weft: full_like: the structure has a key, which is no number; leave it out");
  return all;
}
template <class X, class F> constexpr X filled(X const& x, F const& fill) {
  if constexpr (check_filled(leaves_of<X>{})) return map_leaves(fill, x);
  else return x;
}

} // namespace detail

template <detail::structure_to_fill X, number_literal V>
constexpr X full_like(X const& x, V value) {
  return detail::filled(x, [value]<class L>(L const& leaf) {
    if constexpr (number_literal<L>) return static_cast<L>(full_like(tensor<L>(leaf), value));
    else return full_like(leaf, value);
  });
}
template <detail::structure_to_fill X> constexpr X zeros_like(X const& x) {
  return detail::filled(x, []<class L>(L const& leaf) {
    if constexpr (number_literal<L>) return L{};
    else return zeros_like(leaf);
  });
}
template <detail::structure_to_fill X> constexpr X ones_like(X const& x) {
  return detail::filled(x, []<class L>(L const& leaf) {
    if constexpr (number_literal<L>) return L{1};
    else return ones_like(leaf);
  });
}

} // namespace weft::inline v0
