// SPDX-License-Identifier: BSL-1.0
// What collectives of traced arrays are checked for, and the nodes that they record: groups of ranks
// along a mesh's axes, means, axes of named extent.
// Needs: mesh_words.hpp. Leaves: false after an error; nodes that verify accepts.
#pragma once

#include <weft/graph/handle_collective.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/full_precision.hpp>
#include <weft/lang/joining.hpp>
#include <weft/lang/mesh_words.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0::detail {

// A node that is noted by the program, which is for these ranks.
constexpr handle exchange_noted(handle x, collective const& c) {
  handle const out = exchange(x, c);
  out.where->note_ranks(c.world);
  return out;
}
constexpr handle exchange_along(mesh_axes const& along, handle x, collective_kind kind,
                                combine how = combine::sum, int axis = 0, int to_axis = 0) {
  growing<extent> const ranks = groups_of(along);
  return exchange_noted(x, {.kind = kind,
                            .combine = how == combine::mean ? collective_combine::add
                                                            : static_cast<collective_combine>(how),
                            .axis = axis,
                            .to_axis = to_axis,
                            .world = along.ranks,
                            .group = along.group(),
                            .ranks = ranks});
}
// With a combine. x is of the typed array a; a mean is summed and divided in the accumulation type,
// and rounded once, whatever an autocast around it says.
template <class A>
constexpr handle combined_along(mesh_request const& q, A const& a, handle x, collective_kind kind,
                                int axis = 0) {
  if (q.how != combine::mean) return exchange_along(q.along, x, kind, q.how, axis);
  full_precision const here(a);
  dtype const type = x.type(), wide = accumulator_of(type);
  handle const total = exchange_along(q.along, convert(x, wide), kind, q.how, axis);
  double const ranks = static_cast<double>(q.along.group());
  return convert(total / constant(*total.where, ranks, wide, total.shape()), type);
}

template <combine How, class T> consteval bool check_combine() {
  if constexpr (How == combine::mean) {
    constexpr bool floats = floating<T>;
    static_assert(floats, "weft: combine::mean is of floats; write convert<float>(x)");
    return floats;
  } else if constexpr (How == combine::bit_and) return check_op<op::bit_and, T>();
  else if constexpr (How == combine::bit_or) return check_op<op::bit_or, T>();
  else if constexpr (How == combine::min || How == combine::max) return true;
  else return check_op<op::add, T>();
}

// An extent that a group shares out.
template <class Extent, extent Ranks>
concept shared_out = is_named(Extent::value[0]) || Extent::value[0] % Ranks == 0;
template <class S, int Axis, extent Ranks> consteval bool check_shared() {
  constexpr bool whole = shared_out<extent_at<S, Axis>, Ranks>;
  static_assert(whole,
                "weft: the extent is no multiple of the ranks along the mesh's axes; pad the "
                "array, or choose other axes");
  return whole;
}
// As many names for extents of the result as the array has named ones there.
template <int Given, int Wanted> consteval bool check_extent_names() {
  constexpr bool fit = Given == Wanted;
  static_assert(fit,
                "weft: an axis whose extent has a name takes a name for the result's, and no other "
                "does: all_gather<m, \"data\", 0, whole>(x)");
  return fit;
}
template <class S, int Axis>
inline constexpr bool has_named_axis = is_named(S::value[plain_axis(Axis, S::rank)]);

// all_to_all where extents have names: axes of their own for what is shared out and joined.
struct all_to_all_plan {
  extents given, result; // before the node and behind it, by reshapes
  int split = 0, join = 0;
};
constexpr all_to_all_plan plan_all_to_all(mesh_request const& q, extents const& s) {
  int const from = plain_axis(q.numbers[0], s.rank), to = plain_axis(q.numbers[1], s.rank);
  bool const splits = is_named(s[from]), joins = is_named(s[to]) && from != to;
  extent const group = q.along.group();
  all_to_all_plan p{s, s, from, to};
  p.result[from] = splits ? (from == to ? s[from] : q.names[0]) : s[from] / group;
  p.result[to] = is_named(s[to]) ? (joins ? q.names[splits ? 1 : 0] : s[to]) : p.result[to] * group;
  if (splits) {
    p.given = with_axis(with_extent(s, from, q.names[0]), from, group);
    p.join += to > from ? 1 : 0;
  }
  if (joins) {
    p.given = with_axis(p.given, p.join, 1);
    p.split += p.split >= p.join ? 1 : 0;
  }
  return p;
}
} // namespace weft::inline v0::detail
