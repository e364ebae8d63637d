// SPDX-License-Identifier: BSL-1.0
// How gather and scatter find their windows, as one struct and its encoding. An index is a vector
// of numbers along `index_axis` of the indices (index_axis = rank: each number is an index); number
// i is where the window starts along operand axis map[i]. The other axes of the indices count
// windows; those of a batching pair walk an operand axis in step.
//   gather   result[window axes: o, the others: b] = x[start(b) + o]
//   scatter  x[start(b) + o] is combined with updates[the same position], window after window
// The window has one extent per operand axis, 1 along collapsed and batching axes, which have no
// axis of the result.
// Leaves: one encoding, written by `encode`, read by `gather_of`; gather_shape.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {

// What scatter makes of an element and its updates.
enum class scatter_combine : std::uint8_t { set, add, mul, min, max };
inline constexpr int scatter_combine_count = 5;

struct gather_dims {
  // Windows are moved inside (clamped starts); or what lies outside is dropped: reads 0, writes
  // nothing.
  bool drop = false;
  scatter_combine combine = scatter_combine::set;
  extent window_axes = 0; // axis set of the result
  extent collapsed = 0;   // axis set of the operand
  int index_axis = 0;
  int batches = 0, mapped = 0, rank = 0; // rank: the operand's
  extent operand_batch[max_rank]{}, index_batch[max_rank]{}, map[max_rank]{}, window[max_rank]{};

  constexpr bool is_batch(int axis) const {
    for (int i = 0; i < batches; ++i)
      if (operand_batch[i] == axis) return true;
    return false;
  }
  // Has operand axis `axis` an axis of the result?
  constexpr bool in_window(int axis) const { return !has_axis(collapsed, axis) && !is_batch(axis); }
};

constexpr growing<extent> encode(gather_dims const& d) {
  growing<extent> r;
  r.push(d.drop ? 1 : 0);
  r.push(static_cast<extent>(d.combine));
  r.push(d.window_axes);
  r.push(d.collapsed);
  for (int n : {d.index_axis, d.batches, d.mapped}) r.push(n);
  for (int i = 0; i < d.batches; ++i) r.push(d.operand_batch[i]);
  for (int i = 0; i < d.batches; ++i) r.push(d.index_batch[i]);
  for (int i = 0; i < d.mapped; ++i) r.push(d.map[i]);
  for (int i = 0; i < d.rank; ++i) r.push(d.window[i]); // last: names among them are bound
  return r;
}
inline constexpr int gather_head = 7; // attributes before the lists
// Needs: as many attributes as they say (rule gather_1).
constexpr gather_dims gather_of(view<extent> a) {
  gather_dims d;
  d.drop = a[0] != 0;
  d.combine = static_cast<scatter_combine>(a[1]);
  d.window_axes = a[2];
  d.collapsed = a[3];
  d.index_axis = static_cast<int>(a[4]);
  d.batches = static_cast<int>(a[5]);
  d.mapped = static_cast<int>(a[6]);
  d.rank = a.size() - gather_head - 2 * d.batches - d.mapped;
  int at = gather_head;
  for (int i = 0; i < d.batches; ++i) d.operand_batch[i] = a[at++];
  for (int i = 0; i < d.batches; ++i) d.index_batch[i] = a[at++];
  for (int i = 0; i < d.mapped; ++i) d.map[i] = a[at++];
  for (int i = 0; i < d.rank; ++i) d.window[i] = a[at++];
  return d;
}
constexpr gather_dims gather_of(graph_view g, int id) { return gather_of(g.attributes_of(id)); }

// The extents that count windows: the indices', without the axis of an index's numbers.
constexpr extents window_counts(gather_dims const& d, extents const& indices) {
  extents r;
  for (int i = 0; i < indices.rank; ++i)
    if (i != d.index_axis) r.push(indices[i]);
  return r;
}
// The extents of a window that the result has.
constexpr extents window_shape(gather_dims const& d) {
  extents r;
  for (int i = 0; i < d.rank; ++i)
    if (d.in_window(i)) r.push(d.window[i]);
  return r;
}
constexpr extents window_extents(gather_dims const& d) {
  extents r;
  for (int i = 0; i < d.rank; ++i) r.push(d.window[i]);
  return r;
}
// Of numbers: can every clamped window be moved inside?
constexpr bool windows_fit(gather_dims const& d, extents const& x) {
  for (int i = 0; i < d.rank; ++i)
    if (!d.drop && !d.is_batch(i) && d.window[i] > x[i]) return false;
  return true;
}
// What gather gives and scatter takes as updates. Needs: a bit of window_axes per window extent.
constexpr extents gather_shape(gather_dims const& d, extents const& indices) {
  extents const window = window_shape(d), counts = window_counts(d, indices);
  extents r;
  for (int i = 0, w = 0, c = 0; i < window.rank + counts.rank; ++i)
    r.push(has_axis(d.window_axes, i) && w < window.rank ? window[w++]
           : c < counts.rank                             ? counts[c++]
                                                         : 0);
  return r;
}

namespace detail {

// Windows that are whole but for `axes`, where they have one element; index components lie along
// the last axis of the indices, or each number is an index of one axis.
constexpr gather_dims picking(extents const& x, extents const& axes, int index_axis) {
  gather_dims d;
  d.rank = x.rank;
  d.index_axis = index_axis;
  for (int i = 0; i < x.rank; ++i) d.window[i] = x[i];
  for (int i = 0; i < axes.rank; ++i) {
    d.map[d.mapped++] = axes[i];
    d.collapsed |= extent{1} << axes[i];
    d.window[axes[i]] = 1;
  }
  return d;
}
// The indices' axes take the place of the one axis.
constexpr gather_dims taking(extents const& x, int axis, int index_rank) {
  gather_dims d = picking(x, {1, {axis}}, index_rank);
  for (int i = 0; i < x.rank; ++i)
    if (i != axis) d.window_axes |= extent{1} << (i < axis ? i : i + index_rank - 1);
  return d;
}
// All axes but one walk in step.
constexpr gather_dims taking_along(extents const& x, int axis) {
  gather_dims d;
  d.rank = d.index_axis = x.rank;
  for (int i = 0; i < x.rank; ++i) {
    d.window[i] = 1;
    if (i == axis) continue;
    d.operand_batch[d.batches] = i;
    d.index_batch[d.batches++] = i;
  }
  d.collapsed = extent{1} << axis;
  d.mapped = 1;
  d.map[0] = axis;
  return d;
}

} // namespace detail
} // namespace weft::inline v0
