// SPDX-License-Identifier: BSL-1.0
// What the template arguments of a reduction say, for both doors: sum<1>(x), sum<0, -1, keep>(x),
// sum(x) over all axes, sum<no_axes>(x) over none.
// Needs: shape_rules.hpp. Leaves: `reduction<S, O...>` with the axis set and the result's shape.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

// Keeps reduced axes as extents 1: sum<-1, keep>(x).
struct keep_axes {};
inline constexpr keep_axes keep{};

// Reduces nothing, as an empty list of axes does in NumPy: sum<no_axes>(x) is x.
struct empty_axes {};
inline constexpr empty_axes no_axes{};

namespace detail {

template <auto O, class Option>
inline constexpr bool is_option = std::is_same_v<std::remove_const_t<decltype(O)>, Option>;
template <auto O> inline constexpr bool is_keep = is_option<O, keep_axes>;
template <auto O>
inline constexpr bool is_axis_number = std::is_integral_v<decltype(O)> && !is_option<O, bool>;
template <auto O> consteval int axis_number() {
  if constexpr (is_axis_number<O>) return static_cast<int>(O);
  else return 0;
}
template <auto O, class S>
inline constexpr bool has_axis_number = !is_axis_number<O> || (axis_number<O>() >= -S::rank &&
                                                               axis_number<O>() < S::rank);

// One reduction as a value: bit i of `set` is axis i.
struct reduction_plan {
  extent set = 0;
  extents result; // without the reduced axes, or with extents 1 for them if they are kept
  extents kept;   // with extents 1
  extents over;   // the extents that are reduced, in order
};

// Needs: has_axis_number of every O. Options other than keep and no_axes say nothing here.
template <class S, auto... O> struct reduction {
  static constexpr bool keeps = (is_keep<O> || ...);
  static constexpr int named = (is_axis_number<O> + ... + 0);
  static constexpr extent set = [] {
    extent all = (extent{1} << S::rank) - 1, r = 0;
    ((r |= is_axis_number<O> ? extent{1} << plain_axis(axis_number<O>(), S::rank) : 0), ...);
    return named == 0 && !(is_option<O, empty_axes> || ...) ? all : r;
  }();
  static constexpr reduction_plan plan = [] {
    reduction_plan p;
    p.set = set;
    for (int i = 0; i < S::rank; ++i) {
      bool reduced = ((set >> i) & 1) != 0;
      if (reduced) p.over.push(S::value[i]);
      if (!reduced || keeps) p.result.push(reduced ? 1 : S::value[i]);
      p.kept.push(reduced ? 1 : S::value[i]);
    }
    return p;
  }();
  static constexpr extents result = plan.result;
  static constexpr extents over = plan.over;
};
template <class S, auto... O>
concept axes_reduced_once = reduction<S, O...>::named == 0 ||
                            popcount(static_cast<std::uint64_t>(reduction<S, O...>::set)) ==
                                reduction<S, O...>::named;

// Every template argument is an axis, keep, no_axes, or one of the function's own options.
template <class... Option> struct options {
  template <auto O>
  static constexpr bool known = is_axis_number<O> || is_keep<O> || is_option<O, empty_axes> ||
                                (is_option<O, Option> || ...);
};

// One error at most; false after it.
template <class Options, class S, auto... O> consteval bool check_reduction() {
  static_assert((Options::template known<O> && ...),
                "weft: a reduction takes axes, keep and no_axes; not this option");
  static_assert((has_axis_number<O, S> && ...),
                "weft: there is no such axis to reduce; axes count from 0, or from -1 at the end");
  if constexpr ((Options::template known<O> && ...) && (has_axis_number<O, S> && ...)) {
    constexpr bool once = axes_reduced_once<S, O...>;
    static_assert(once, "weft: an axis is reduced twice");
    return axes_reduced_once<S, O...>;
  } else return false;
}

} // namespace detail
} // namespace weft::inline v0
