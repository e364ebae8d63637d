// SPDX-License-Identifier: BSL-1.0
// What the template arguments of a reduction say, for both doors: sum<1>(x), sum<0, -1, keep>(x),
// sum(x) over all axes.
// Needs: shape_rules.hpp. Leaves: `reduction<S, O...>` with the axis set and the result's shape.
#pragma once

#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

// Keeps reduced axes as extents 1: sum<-1, keep>(x).
struct keep_axes {};
inline constexpr keep_axes keep{};

namespace detail {

template <auto O>
inline constexpr bool is_keep = std::is_same_v<decltype(O), keep_axes const> ||
                                std::is_same_v<decltype(O), keep_axes>;
template <auto O> consteval int axis_number() {
  if constexpr (is_keep<O>) return 0;
  else return static_cast<int>(O);
}
template <auto O, class S>
inline constexpr bool has_axis_number = is_keep<O> || (axis_number<O>() >= -S::rank &&
                                                       axis_number<O>() < S::rank);
template <auto O, class S> concept reducible_axis = has_axis_number<O, S>;

// Needs: reducible_axis of every O.
template <class S, auto... O> struct reduction {
  static constexpr bool keeps = (is_keep<O> || ...);
  static constexpr int named = static_cast<int>(sizeof...(O)) - (is_keep<O> + ... + 0);
  // Bit i is axis i.
  static constexpr extent set = [] {
    extent all = (extent{1} << S::rank) - 1, r = 0;
    ((r |= is_keep<O> ? 0 : extent{1} << plain_axis(axis_number<O>(), S::rank)), ...);
    return named == 0 ? all : r;
  }();
  static constexpr extents reduced = [] {
    extents r;
    for (int i = 0; i < S::rank; ++i)
      if (((set >> i) & 1) == 0) r.push(S::value[i]);
    return r;
  }();
  static constexpr extents kept = [] {
    extents r;
    for (int i = 0; i < S::rank; ++i) r.push(((set >> i) & 1) != 0 ? 1 : S::value[i]);
    return r;
  }();
  static constexpr extents result = keeps ? kept : reduced;
  // The extents that are reduced, in order.
  static constexpr extents over = [] {
    extents r;
    for (int i = 0; i < S::rank; ++i)
      if (((set >> i) & 1) != 0) r.push(S::value[i]);
    return r;
  }();
};

} // namespace detail
} // namespace weft::inline v0
