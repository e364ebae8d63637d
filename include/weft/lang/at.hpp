// SPDX-License-Identifier: BSL-1.0
// Views of traced arrays, and their functional assignment (view_spec.hpp has the notation):
//   at<"1, :">(x)   at<"..., ::-1">(x)   at<"$">(x, i)   set<"$, 1:3">(x, i, y)
// Needs: view_spec.hpp, elementwise.hpp. Leaves: static views are views of the graph; a run-time
// index is one dynamic_slice, clamped so that the element is inside.
#pragma once

#include <weft/graph/run_extent.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/expression_tree.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/view_spec.hpp>

namespace weft::inline v0 {
namespace detail {

template <class X>
inline constexpr bool is_run_time_index = rank_of<operand_traits<X>> == 0 &&
                                          (std::is_same_v<element_of<X>, std::int32_t> ||
                                           (std::is_integral_v<X> && !std::is_same_v<X, bool>));

template <class I> consteval bool check_index_type() {
  static_assert(is_run_time_index<I>,
                "weft: view: a run-time index is one int; write convert<int>(i)");
  return is_run_time_index<I>;
}

// A negative index counts from the end.
constexpr handle from_the_end(recorder& r, handle i, extent axis_length) {
  handle n = count_node(r, {1, {axis_length}}, dtype::i32);
  return select(less(i, constant(r, 0, dtype::i32, {})), i + n, i);
}
struct view_starts {
  handle h[max_rank]{};
};
// Where the window of each axis starts; `indices` are the run-time ones.
constexpr view_starts starts_of(recorder& r, view_plan const& p, extents const& whole,
                                view<handle> indices) {
  view_starts s;
  for (int i = 0; i < p.rank; ++i) {
    view_axis const& a = p.axis[i];
    handle place = a.run_time >= 0 ? indices[a.run_time]
                                   : constant(r, static_cast<double>(a.start), dtype::i32, {});
    bool may_be_negative = a.run_time >= 0 || (a.windowed && a.start < 0);
    s.h[i] = may_be_negative ? from_the_end(r, place, whole[i]) : place;
  }
  return s;
}
constexpr handle slice_by(view_plan const& p, handle x) {
  extent attributes[3 * max_rank]{};
  for (int i = 0; i < p.rank; ++i) {
    view_axis const& a = p.axis[i];
    attributes[i] = a.windowed ? 0 : a.start;
    attributes[p.rank + i] = a.limit;
    attributes[2 * p.rank + i] = a.stride;
  }
  handle const part = slice_to(reverse(x, p.mirrored()), p.sliced(), {attributes, 3 * p.rank});
  return reverse(part, p.reversed());
}
constexpr handle window_by(recorder& r, view_plan const& p, handle x, view<handle> indices) {
  if (!p.any_windowed()) return x;
  view_starts s = starts_of(r, p, x.shape(), indices);
  for (int i = 0; i < p.rank; ++i)
    if (!p.axis[i].windowed) s.h[i] = constant(r, 0, dtype::i32, {});
  return dynamic_slice(x, p.window(), {s.h, p.rank});
}

template <class... I> struct index_nodes {
  handle h[sizeof...(I) + 1]{};
  constexpr explicit index_nodes(recorder& r, I const&... i)
      : h{node_of<std::int32_t>(r, i, {})..., handle{}} {}
  constexpr operator view<handle>() const { return {h, sizeof...(I)}; }
};

// x where y does not lie: y spread over its strided places, and a mask of them.
constexpr handle set_strided(recorder& r, view_plan const& p, handle x, handle y) {
  extent pads[3 * max_rank]{};
  for (int i = 0; i < p.rank; ++i) {
    view_axis const& a = p.axis[i];
    if (a.windowed || is_named(a.length)) continue; // taken whole
    pads[i] = a.start;
    pads[p.rank + i] = x.shape()[i] - a.start - (a.length == 0 ? 0 : (a.length - 1) * a.stride + 1);
    pads[2 * p.rank + i] = a.stride - 1;
  }
  view<extent> around{pads, 3 * p.rank};
  handle taken = constant(r, 1, dtype::boolean, y.shape());
  handle mask = pad(taken, constant(r, 0, dtype::boolean, {}), around);
  return select(mask, pad(y, constant(r, 0, x.type(), {}), around), x);
}
// The windowed axes alone: one element of each, all of the others.
constexpr handle around_windows(recorder& r, view_plan const& p, handle x, view_starts& s) {
  extents window = x.shape();
  for (int i = 0; i < p.rank; ++i) {
    if (p.axis[i].windowed) window[i] = 1;
    else s.h[i] = constant(r, 0, dtype::i32, {});
  }
  return dynamic_slice(x, window, {s.h, p.rank});
}
// One axis taken by the plan, of x or of a rank-1 array that stands for the axis.
constexpr handle range_of(view_plan const& p, int axis, handle x, int place) {
  extents to = x.shape();
  extent at[3 * max_rank]{};
  for (int i = 0; i < to.rank; ++i) {
    at[to.rank + i] = to[i];
    at[2 * to.rank + i] = 1;
  }
  view_axis const& a = p.axis[axis];
  at[place] = a.start;
  at[to.rank + place] = a.limit;
  at[2 * to.rank + place] = a.stride;
  to[place] = a.length;
  handle const part = slice_to(reverse(x, a.mirrored ? extent{1} << place : 0), to,
                               {at, 3 * to.rank});
  return reverse(part, a.reversed ? extent{1} << place : 0);
}
// x with y in the place of its partial axes (x and y are of one rank): element by element along
// each, the inner ones first.
constexpr handle set_ranges(recorder& r, view_plan const& p, extents const& whole, handle x,
                            handle y, int axis = 0) {
  while (axis < p.rank && !p.partial(axis, whole)) ++axis;
  if (axis == p.rank) return y;
  handle const inner = set_ranges(r, p, whole, range_of(p, axis, x, axis), y, axis + 1);
  handle const all = iota(r, dtype::i32, {1, {whole[axis]}}, 0);
  gather_dims d = taking(x.shape(), axis, 1);
  d.drop = true;
  return scatter(x, inner, range_of(p, axis, all, 0), d);
}
constexpr handle set_by(recorder& r, view_plan p, handle x, handle y, view<handle> indices) {
  view_plan const asked = p;
  bool partial = false;
  for (int i = 0; i < p.rank; ++i)
    if (asked.partial(i, x.shape())) {
      partial = true;
      p.axis[i] = {.limit = x.shape()[i], .length = x.shape()[i]};
    }
  if (partial) {
    handle const part = window_by(r, p, slice_by(p, x), indices);
    y = set_ranges(r, asked, x.shape(), part, reshape(y, asked.window()));
  }
  handle turned = reverse(reshape(y, p.window()), p.reversed());
  if (p.strided() && !p.any_windowed()) return set_strided(r, p, x, turned);
  view_starts s = starts_of(r, p, x.shape(), indices);
  if (p.strided()) turned = set_strided(r, p, around_windows(r, p, x, s), turned);
  return dynamic_update_slice(x, turned, {s.h, p.rank});
}

} // namespace detail

// The view; one int32 operand per $. at<"1, :">(x) of a (2, 3) is a (3), at<"$">(x, i) as well.
// Ranges whose length depends on a named extent take a name: at<"1:", rest>(x).
template <fixed_string Spec, auto... Names, traced_array A, trace_operand... I>
constexpr auto at(A const& a, I const&... indices) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  constexpr bool typed = (detail::check_index_type<I>() && ...);
  if constexpr (detail::check_view<Spec, S, static_cast<int>(sizeof...(I)), Names...>() && typed) {
    constexpr detail::view_plan p = detail::plan_of<Spec, S, Names...>;
    recorder& r = detail::recorder_of(a, indices...);
    detail::index_nodes<I...> given(r, indices...);
    handle h = detail::window_by(r, p, detail::slice_by(p, a.value), given);
    return traced_of<T, p.result>{reshape(h, p.result)};
  } else return a;
}

namespace detail {
// The value stands last, behind the indices.
template <fixed_string Spec, auto... Names, class A, int... K, class Pack>
constexpr auto set_view(A const& a, std::integer_sequence<int, K...>, Pack const& given) {
  using T = element_of<A>;
  using S = shape_of_operand<A>;
  using Y = std::remove_cvref_t<decltype(item<sizeof...(K)>(given))>;
  auto const& y = item<sizeof...(K)>(given);
  recorder& r = recorder_of(a, y, item<K>(given)...);
  constexpr bool typed = check_elements<T, A, Y>() &&
                         (check_index_type<std::remove_cvref_t<decltype(item<K>(given))>>() && ...);
  if constexpr (check_view<Spec, S, static_cast<int>(sizeof...(K)), Names...>() && typed) {
    constexpr view_plan p = plan_of<Spec, S, Names...>;
    using To = shape_of_value<p.result>;
    static_assert(broadcasts_to<shape_of_operand<Y>, To>,
                  "weft: set: the value does not broadcast to the view");
    handle const indices[] = {node_of<std::int32_t>(r, item<K>(given), {})..., handle{}};
    handle h = set_by(r, p, node_of<T>(r, a, S::value), node_of<T>(r, y, p.result),
                      {indices, sizeof...(K)});
    return traced_of<T, S::value>{h};
  } else return as_traced(r, a);
}
} // namespace detail

// x with the view replaced by the last argument, which broadcasts to it; the run-time indices, one
// per $, stand before it: set<"$, ::2, $">(x, i, j, y).
template <fixed_string Spec, auto... Names, class A, class... X>
  requires(sizeof...(X) > 0 && traced_call<A, X...>)
constexpr auto set(A const& a, X const&... x) {
  constexpr int indices = static_cast<int>(sizeof...(X)) - 1;
  return detail::set_view<Spec, Names...>(a, std::make_integer_sequence<int, indices>{},
                                          detail::pack_of(X(x)...));
}

} // namespace weft::inline v0
