// SPDX-License-Identifier: BSL-1.0
// gather and scatter, whose attributes are StableHLO's under other names.
//   gather    clamps its starts as StableHLO's does; what reads 0 outside is a composite
//   scatter   drops what lies outside, element by element. Compilers drop whole windows, so only
//             windows that are one element wide where they move are a scatter; others, and those
//             that are clamped, are composites. Sums of 16-bit floats are taken in float.
// A composite's decomposition pads the operand by a window on both sides and moves the starts, so
// that every window lies inside.
// Needs: a graph that verify accepts. Leaves: the value of the node.
#pragma once

#include <weft/stablehlo/export_shapes.hpp>
#include <weft/stablehlo/gather_names.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr growing<extent> axes_within(extent set, int rank) {
  growing<extent> r;
  for (int i = 0; i < rank; ++i)
    if (has_axis(set, i)) r.push(i);
  return r;
}
constexpr attribute dimension_numbers(module_writer& w, char const* attribute_name,
                                      gather_names const& names, gather_dims const& d,
                                      int result_rank) {
  growing<attribute> lists;
  auto list = [&](char const* name, view<extent> axes) {
    if (!axes.empty()) lists.push(w.integers(name, axes));
  };
  list(names.windows, axes_within(d.window_axes, result_rank));
  list(names.collapsed, axes_within(d.collapsed, d.rank));
  list(names.batch, {d.operand_batch, d.batches});
  list(names.index_batch, {d.index_batch, d.batches});
  list(names.map, {d.map, d.mapped});
  lists.push(w.integer("index_vector_dim", d.index_axis));
  return w.record(attribute_name, lists);
}
constexpr int gather(module_writer& w, gather_dims const& d, int x, int indices) {
  extents const to = gather_shape(d, w.shape(indices));
  if (is_empty(to)) return splat(w, w.element(x), to, 0);
  attribute const numbers = dimension_numbers(w, "dimension_numbers", names_of_gather, d, to.rank);
  extents const window = window_extents(d);
  if (!is_static(window)) {
    int const three[] = {x, indices, shape_value(w, window)};
    return w.emit(code::dynamic_gather, {three, 3}, w.element(x), to, {&numbers, 1});
  }
  attribute const all[] = {numbers, w.integers("slice_sizes", list_of(window))};
  int const both[] = {x, indices};
  return w.emit(code::gather, {both, 2}, w.element(x), to, {all, 2});
}

// What becomes of an element and an update.
constexpr int scatter_region(module_writer& w, scatter_combine how, dtype element) {
  if (how != scatter_combine::set)
    return combiner(w,
                    how == scatter_combine::add   ? code::add
                    : how == scatter_combine::mul ? code::multiply
                    : how == scatter_combine::min ? code::minimum
                                                  : code::maximum,
                    element);
  w.open_region();
  w.argument(element, {});
  int const update = w.argument(element, {});
  w.end(code::stablehlo_return, {&update, 1});
  return w.close_region();
}
constexpr int scatter(module_writer& w, gather_dims const& d, int x, int updates, int indices) {
  bool const sums = d.combine == scatter_combine::add || d.combine == scatter_combine::mul;
  dtype const type = w.element(x), wide = sums ? accumulator_of(type) : type;
  if (is_empty(w.shape(updates)) || is_empty(w.shape(x))) return x; // nothing is written
  x = convert(w, x, wide);
  updates = convert(w, updates, wide);
  int const body = scatter_region(w, d.combine, wide);
  attribute const numbers = dimension_numbers(w, "scatter_dimension_numbers", names_of_scatter, d,
                                              w.shape(updates).rank);
  int const three[] = {x, indices, updates};
  return convert(w, w.emit(code::scatter, {three, 3}, wide, w.shape(x), {&numbers, 1}, {&body, 1}),
                 type);
}

constexpr bool is_single_element(gather_dims const& d) {
  for (int k = 0; k < d.mapped; ++k)
    if (d.window[d.map[k]] != 1) return false;
  return true;
}
// A window that is moved has a place, and an axis that it moves along an end, that are numbers.
constexpr void check_mapped_axes(gather_dims const& d, extents const& x) {
  for (int k = 0; k < d.mapped; ++k)
    if (int const axis = static_cast<int>(d.map[k]); is_named(x[axis]) || is_named(d.window[axis]))
      raise<usage_error>(
          message("weft: stablehlo: gather and scatter have no form for windows that "
                  "are moved or dropped along a named axis of ")
              .add(x));
}
constexpr int export_gather(export_scope& s, int id) {
  gather_dims const d = gather_of(s.g, id);
  if (d.drop) {
    check_mapped_axes(d, s.g.shape(s.g.operand(id, 0)));
    return call_own(s, id);
  }
  return gather(s.w, d, s.operand(id, 0), s.operand(id, 1));
}
constexpr int export_scatter(export_scope& s, int id) {
  gather_dims const d = gather_of(s.g, id);
  if (is_empty(s.g.shape(s.g.operand(id, 1)))) return s.operand(id, 0);
  if (!d.drop || !is_single_element(d)) {
    check_mapped_axes(d, s.g.shape(id));
    return call_own(s, id);
  }
  return scatter(s.w, d, s.operand(id, 0), s.operand(id, 1), s.operand(id, 2));
}

// The indices of windows in an operand with `space` more on both sides of the mapped axes: every
// start between -window and the extent, then moved by the space.
constexpr int moved_starts(module_writer& w, gather_dims const& d, extents const& x, int indices,
                           bool padded) {
  extents const s = w.shape(indices);
  growing<word> low, high, space;
  for (int k = 0; k < d.mapped; ++k) {
    extent const size = d.window[d.map[k]], n = x[static_cast<int>(d.map[k])];
    auto const bits = [](extent e) { return static_cast<word>(static_cast<std::uint32_t>(e)); };
    low.push(bits(padded ? -size : 0));
    high.push(bits(padded ? n : n - size));
    space.push(bits(padded ? size : 0));
  }
  extent const axis = d.index_axis;
  auto everywhere = [&](growing<word> const& words) {
    if (d.index_axis == s.rank) return splat(w, dtype::i32, s, words[0]);
    int const list = table(w, dtype::i32, extents{1, {d.mapped}}, words);
    return broadcast(w, list, s, {&axis, 1});
  };
  if (d.mapped == 0) return indices;
  int const three[] = {everywhere(low), indices, everywhere(high)};
  int const inside = w.emit(code::clamp, {three, 3}, dtype::i32, s);
  return padded ? binary(w, code::add, inside, everywhere(space)) : inside;
}
// x with a window's room on both sides of the mapped axes, zeros in it.
struct room {
  growing<extent> low, high, strides; // of a slice that takes the middle
  int x = -1;
};
constexpr room with_room(module_writer& w, gather_dims const& d, int x) {
  extents const s = w.shape(x);
  extents to = s;
  growing<extent> sizes(s.rank, 0), none(s.rank, 0);
  for (int k = 0; k < d.mapped; ++k) {
    sizes[static_cast<int>(d.map[k])] = d.window[d.map[k]];
    to[static_cast<int>(d.map[k])] += 2 * d.window[d.map[k]];
  }
  attribute const edges[] = {w.integers("edge_padding_low", sizes),
                             w.integers("edge_padding_high", sizes),
                             w.integers("interior_padding", none)};
  int const both[] = {x, scalar(w, w.element(x), 0)};
  room r{sizes, sizes, growing<extent>(s.rank, 1),
         w.emit(code::pad, {both, 2}, w.element(x), to, {edges, 3})};
  for (int i = 0; i < s.rank; ++i) r.high[i] += s[i];
  return r;
}
constexpr int gather_body(module_writer& w, gather_dims const& d, view<int> x) {
  int const starts = moved_starts(w, d, w.shape(x[0]), x[1], true);
  return gather(w, d, with_room(w, d, x[0]).x, starts);
}
constexpr int scatter_body(module_writer& w, gather_dims const& d, view<int> x) {
  extents const s = w.shape(x[0]);
  int const starts = moved_starts(w, d, s, x[2], d.drop);
  if (!d.drop) return scatter(w, d, x[0], x[1], starts);
  room const r = with_room(w, d, x[0]);
  int const all = scatter(w, d, r.x, x[1], starts);
  attribute const ranges[] = {w.integers("start_indices", r.low),
                              w.integers("limit_indices", r.high),
                              w.integers("strides", r.strides)};
  return w.emit(code::slice, {&all, 1}, w.element(all), s, {ranges, 3});
}

} // namespace weft::inline v0::stablehlo::detail
