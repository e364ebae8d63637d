// SPDX-License-Identifier: BSL-1.0
// Views and moves without indices: broadcast reshape transpose slice reverse pad concat,
// dynamic_slice and dynamic_update_slice (whose starts both sides clamp), and the reductions.
// A reduction starts from what changes nothing: -0.0 of float sums, 1, the lowest or the highest
// value; of no elements it is a constant, +0.0 of sums. Sums and products of 16-bit floats are taken
// in float and rounded once, as weft's are.
// Needs: a graph that verify accepts. Leaves: the value of the node.
#pragma once

#include <weft/stablehlo/export_scope.hpp>

namespace weft::inline v0::stablehlo::detail {

// A tensor of these numbers, i32.
constexpr int vector_value(module_writer& w, view<int> scalars) {
  growing<int> parts;
  for (int v : scalars) parts.push(as_vector(w, v));
  return parts.size() == 1 ? parts[0] : join(w, parts, 0, extents{1, {scalars.size()}});
}
// Of a named axis the limit is known to the run: the operation with starts and limits as operands.
constexpr int export_named_slice(export_scope& s, int id) {
  int const x = s.operand(id, 0);
  extents const from = s.w.shape(x);
  growing<int> lists[3];
  for (int i = 0; i < from.rank; ++i) {
    extent const limit = s.g.attribute(id, from.rank + i);
    lists[0].push(scalar_i32(s.w, s.g.attribute(id, i)));
    if (is_before_end(limit)) {
      int const n = extent_value(s.w, from[i]);
      lists[1].push(binary(s.w, code::subtract, n, scalar_i32(s.w, distance_to_end(limit))));
    } else lists[1].push(extent_value(s.w, limit));
    lists[2].push(scalar_i32(s.w, s.g.attribute(id, 2 * from.rank + i)));
  }
  int const all[] = {x, vector_value(s.w, lists[0]), vector_value(s.w, lists[1]),
                     vector_value(s.w, lists[2])};
  return s.w.emit(code::real_dynamic_slice, {all, 4}, s.g[id].type, s.g.shape(id));
}
constexpr int export_slice(export_scope& s, int id) {
  int const x = s.operand(id, 0), rank = s.w.shape(x).rank;
  if (takes_all(s.w.shape(x), s.g.attributes_of(id))) return x;
  if (!is_static(s.w.shape(x)) || !is_static(s.g.shape(id))) return export_named_slice(s, id);
  view<extent> const a = s.g.attributes_of(id);
  attribute const ranges[] = {s.w.integers("start_indices", a.part(0, rank)),
                              s.w.integers("limit_indices", a.part(rank, rank)),
                              s.w.integers("strides", a.part(2 * rank, rank))};
  return s.w.emit(code::slice, {&x, 1}, s.g[id].type, s.g.shape(id), {ranges, 3});
}

constexpr int export_pad(export_scope& s, int id) {
  int const x = s.operand(id, 0), filler = s.operand(id, 1);
  extents const from = s.g.shape(s.g.operand(id, 0)), to = s.g.shape(id);
  int const rank = to.rank;
  if (pads_nothing(s.g, id)) return x;
  if (is_cropped_away(s.g, id)) return broadcast(s.w, filler, to, {});
  growing<extent> a(s.g.attributes_of(id));
  for (int i = 0; i < rank; ++i) {
    extent const low = a[i], interior = a[2 * rank + i];
    if (is_before_end(a[rank + i])) {
      if (is_named(from[i]) || is_named(to[i]))
        raise<usage_error>(
            message("weft: stablehlo: a pad to the end of a named axis has no form"));
      a[rank + i] = to[i] - low - from[i] - (from[i] > 0 ? (from[i] - 1) * interior : 0);
    }
  }
  attribute const edges[] = {s.w.integers("edge_padding_low", a.part(0, rank)),
                             s.w.integers("edge_padding_high", a.part(rank, rank)),
                             s.w.integers("interior_padding", a.part(2 * rank, rank))};
  int const both[] = {x, filler};
  return s.w.emit(code::pad, {both, 2}, s.g[id].type, to, {edges, 3});
}

constexpr int export_dynamic_slice(export_scope& s, int id) {
  extents const window = s.g.shape(id);
  if (window.rank == 0) return s.operand(id, 0);
  if (!is_static(window))
    raise<usage_error>(message("weft: stablehlo: dynamic_slice has no form for a window of ")
                           .add(window)
                           .add("; its extents must be numbers"));
  attribute const sizes = s.w.integers("slice_sizes", list_of(window));
  return s.w.emit(code::dynamic_slice, s.operands(id), s.g[id].type, window, {&sizes, 1});
}
constexpr int export_dynamic_update_slice(export_scope& s, int id) {
  if (s.g.shape(id).rank == 0) return s.operand(id, 1);
  return s.w.emit(code::dynamic_update_slice, s.operands(id), s.g[id].type, s.g.shape(id));
}

constexpr word lowest_bits(dtype d) {
  if (is_float(d)) return static_cast<word>(bits_of(-__builtin_huge_val(), d));
  return is_signed(d) ? (weft::detail::storage_mask(d) >> 1) + 1 : 0;
}
constexpr word highest_bits(dtype d) {
  if (is_float(d)) return static_cast<word>(bits_of(__builtin_huge_val(), d));
  word const all = weft::detail::storage_mask(d);
  return is_signed(d) ? all >> 1 : all;
}
constexpr int export_reduction(export_scope& s, int id) {
  extents const from = s.g.shape(s.g.operand(id, 0)), to = s.g.shape(id);
  extent const axes = s.g.attribute(id, 0);
  op const o = s.g[id].code;
  dtype const type = s.g[id].type;
  bool const adds = o == op::reduce_sum || o == op::reduce_prod, none = is_empty(from);
  dtype const d = adds && !none ? accumulator_of(type) : type;
  double const zero = is_float(d) && !none ? -0.0 : 0.0;
  word const start = o == op::reduce_sum    ? static_cast<word>(bits_of(zero, d))
                     : o == op::reduce_prod ? static_cast<word>(bits_of(1, d))
                     : o == op::reduce_max  ? lowest_bits(d)
                                            : highest_bits(d);
  if (none) return splat(s.w, type, to, start);
  code const combine = o == op::reduce_sum    ? code::add
                       : o == op::reduce_prod ? code::multiply
                       : o == op::reduce_max  ? code::maximum
                                              : code::minimum;
  return convert(s.w, reduce(s.w, combine, convert(s.w, s.operand(id, 0), d), start, axes, to),
                 type);
}

// The elements of a shape as a rank-0 i32, without one axis.
constexpr int count_value(module_writer& w, extents const& s, int without = -1) {
  int count = scalar_i32(w, 1);
  for (int i = 0; i < s.rank; ++i)
    if (i != without) count = binary(w, code::multiply, count, extent_value(w, s[i]));
  return count;
}
// A name that the operand lacks is what is left of its elements.
constexpr int export_reshape(export_scope& s, int x, extents const& to) {
  for (int i = 0; i < to.rank; ++i) {
    if (!is_named(to[i]) || s.w.known_extent(to[i]) >= 0) continue;
    int const all = count_value(s.w, s.w.shape(x)), others = count_value(s.w, to, i);
    int const divisor = binary(s.w, code::maximum, others, scalar_i32(s.w, 1));
    s.w.know_extent(to[i], binary(s.w, code::divide, all, divisor));
  }
  return reshape(s.w, x, to);
}

// Of the ops that this file is about.
constexpr int export_movement(export_scope& s, int id) {
  view<extent> const a = s.g.attributes_of(id);
  int const x = s.operand(id, 0);
  switch (s.g[id].code) {
    case op::broadcast:
      return s.w.shape(x) == s.g.shape(id) ? x : broadcast(s.w, x, s.g.shape(id), a);
    case op::reshape: return export_reshape(s, x, s.g.shape(id));
    case op::transpose: return transpose(s.w, x, a);
    case op::reverse: return reverse(s.w, x, axes_of(a[0]));
    case op::concat:
      if (s.g[id].operand_count == 1) return x;
      return join(s.w, s.operands(id), static_cast<int>(a[0]), s.g.shape(id));
    case op::slice: return export_slice(s, id);
    case op::pad: return export_pad(s, id);
    case op::dynamic_slice: return export_dynamic_slice(s, id);
    default: return export_dynamic_update_slice(s, id);
  }
}

} // namespace weft::inline v0::stablehlo::detail
