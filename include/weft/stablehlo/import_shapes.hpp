// SPDX-License-Identifier: BSL-1.0
// Sources and movement: constant, iota, broadcast_in_dim, reshape, transpose, slice, reverse,
// concatenate, pad, get_dimension_size, and bitcast_convert, whose widths may differ.
// Needs: import_elementwise.hpp. Leaves: the nodes that the typed doors record; what changes nothing
// is no node.
#pragma once

#include <weft/graph/run_extent.hpp>
#include <weft/stablehlo/import_elementwise.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// What a name is made of (importing::name_of_made).
inline constexpr extent joined_kind = 1, padded_kind = 2, moved_kind = 3, counted_kind = 4;
// e as a name and a number that is added to it.
struct moved_name {
  extent from, by;
};
constexpr moved_name moved_of(importing const& c, extent e) {
  extents const how = c.making_of(e);
  return how.rank == 3 && how[0] == moved_kind ? moved_name{how[1], how[2]} : moved_name{e, 0};
}
constexpr extent moved_extent(importing& c, extent name, extent by) {
  moved_name const m = moved_of(c, name);
  return m.by + by == 0 ? m.from : c.name_of_made({3, {moved_kind, m.from, m.by + by}});
}
// How many more elements b has than a, both of them names; false: only the run knows.
constexpr bool is_moved(importing const& c, extent a, extent b, extent& by) {
  moved_name const x = moved_of(c, a), y = moved_of(c, b);
  by = y.by - x.by;
  return is_named(a) && is_named(b) && x.from == y.from;
}

// ---- sources
constexpr void import_constant(importing& c, operation const& o) {
  if (!c.takes(o, 0, 1)) return;
  attribute const* const a = c.m.find(o, "value");
  if (a == nullptr || a->kind != attribute_kind::numbers)
    return c.fail(o, "value is no dense<...>");
  value_type const &t = c.m.types[a->type], &written = c.result_type(o);
  extents const shape = written_shape(c, o);
  if (!c.ok()) return;
  if (!(t.shape == shape) || t.element != written.element)
    return c.fail(o, "value has another type than the result");
  extent const count = count_of(shape);
  if (a->count != 1 && a->count != count) return c.fail(o, "value has another number of elements");
  extents const to = c.lifted ? c.lift : shape;
  if (a->count <= 1 || c.lifted) {
    word const bits = a->count == 0 ? 0 : c.m.words[a->first];
    return c.give(o, constant_bits(c.r, static_cast<extent>(bits), t.element, to));
  }
  extent const place[] = {c.place_of_constant(*a), 0};
  c.give(o, c.r.emit(op::constant, t.element, to, {}, {place, 2}));
}
constexpr void import_iota(importing& c, operation const& o) {
  if (!c.takes(o, 0, 1)) return;
  extents const to = written_shape(c, o);
  int const axis = axis_of(c, o, "iota_dimension", to.rank);
  if (check_element(c, o, op::iota, c.result_type(o).element))
    c.give(o, iota(c.r, c.result_type(o).element, to, axis));
}
constexpr void import_get_dimension_size(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  extents const s = c.in(o, 0).shape();
  int const axis = axis_of(c, o, "dimension", s.rank);
  if (!c.ok()) return;
  handle const count = weft::detail::count_node(c.r, {1, {s[axis]}}, dtype::i32);
  c.know(count, s[axis]);
  c.give(o, count);
}

// ---- broadcasts. Axis i of x becomes axis map[i]; weft's map ascends.
constexpr handle spread(importing& c, operation const& o, handle x, view<extent> map,
                        extents const& to) {
  extents const from = x.shape();
  if (c.ok() && map.size() != from.rank)
    c.fail(o, message("broadcast_dimensions has ")
                  .add(map.size())
                  .add(" axes, the operand ")
                  .add(from.rank));
  if (!check_axes(c, o, "broadcast_dimensions", map, to.rank)) return {};
  for (int i = 0; i < from.rank; ++i)
    if (from[i] != 1 && from[i] != to[static_cast<int>(map[i])]) {
      c.could_be_equal(from[i], to[static_cast<int>(map[i])]);
      message words("the shape ");
      c.fail(o, words.add(from).add(" does not spread to ").add(to));
      return {};
    }
  extent order[max_rank]{}, sorted[max_rank]{};
  for (int axis = 0, k = 0; axis < to.rank; ++axis)
    for (int i = 0; i < from.rank; ++i)
      if (map[i] == axis) {
        order[k] = i;
        sorted[k++] = axis;
      }
  return broadcast(transpose(x, {order, from.rank}), to, {sorted, from.rank});
}
constexpr void import_broadcast_in_dim(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  if (c.lifted) return c.give(o, c.in(o, 0));
  growing<extent> const map = numbers_of(c, o, "broadcast_dimensions");
  extents const to = written_shape(c, o);
  if (c.ok()) c.give(o, spread(c, o, c.in(o, 0), map, to));
}
// Axes in front.
constexpr void import_broadcast(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  growing<extent> const sizes = numbers_of(c, o, "broadcast_sizes");
  handle const x = c.in(o, 0);
  extents to;
  if (c.ok() && sizes.size() + x.shape().rank > max_rank) c.fail(o, "more than 8 axes");
  if (!c.ok()) return;
  for (extent e : sizes) {
    if (e < 0) return c.fail(o, "broadcast_sizes has a number below 0");
    to.push(e);
  }
  for (int i = 0; i < x.shape().rank; ++i) to.push(x.shape()[i]);
  if (is_buildable(c, o, to)) c.give(o, broadcast_to(x, to));
}

// ---- movement
constexpr void import_reshape(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  handle const x = c.in(o, 0);
  if (c.lifted) return c.give(o, x);
  extents const to = written_shape(c, o);
  if (!c.ok()) return;
  if (!same_count(x.shape(), to)) {
    message words("the elements of ");
    return c.fail(o, words.add(x.shape()).add(" do not make ").add(to));
  }
  c.give(o, reshape(x, to));
}
constexpr void import_transpose(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  growing<extent> const order = numbers_of(c, o, "permutation");
  handle const x = c.in(o, 0);
  if (c.ok() && order.size() != x.shape().rank) c.fail(o, "permutation has not every axis");
  if (check_axes(c, o, "permutation", order, x.shape().rank)) c.give(o, transpose(x, order));
}
constexpr void import_slice(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  handle const x = c.in(o, 0);
  extents const s = x.shape();
  growing<extent> all = numbers_or(c, o, "start_indices", s.rank, 0);
  all.append(numbers_or(c, o, "limit_indices", s.rank, -1));
  all.append(numbers_or(c, o, "strides", s.rank, 1));
  for (int i = 0; i < s.rank && c.ok(); ++i) {
    extent const start = all[i], limit = all[s.rank + i], stride = all[2 * s.rank + i];
    if (start < 0 || limit < start || stride < 1 || (!is_named(s[i]) && limit > s[i]))
      c.fail(o, message("axis ")
                    .add(i)
                    .add(" has ")
                    .add(s[i])
                    .add(" elements, not those from ")
                    .add(start)
                    .add(" to ")
                    .add(limit)
                    .add(" in steps of ")
                    .add(stride));
  }
  if (c.ok()) c.give(o, slice(x, all));
}
constexpr void import_reverse(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  growing<extent> const axes = numbers_of(c, o, "dimensions");
  handle const x = c.in(o, 0);
  if (check_axes(c, o, "dimensions", axes, x.shape().rank)) c.give(o, reverse(x, set_of(axes)));
}
// The sum of extents along an axis: a number, or a name that the same summands share.
constexpr extent joined_extent(importing& c, operation const& o, view<handle> x, int axis) {
  extents names;
  extent sum = 0;
  for (handle h : x) {
    extent const e = h.shape()[axis];
    if (!is_named(e)) sum += e;
    else if (names.rank < max_rank - 2) names.push(e);
    else c.fail(o, "more than 6 operands have an extent that only the run knows");
  }
  if (names.rank == 0) return sum;
  if (names.rank == 1) return moved_extent(c, names[0], sum);
  extents how{2, {joined_kind, sum}};
  for (int i = 1; i < names.rank; ++i)
    for (int k = i; k > 0 && names[k] < names[k - 1]; --k) std::swap(names[k], names[k - 1]);
  for (int i = 0; i < names.rank; ++i) how.push(names[i]);
  return c.name_of_made(how);
}
constexpr void import_concatenate(importing& c, operation const& o) {
  if (!c.takes(o, o.operand_count, 1)) return;
  growing<handle> const x = c.ins(o, 0, o.operand_count);
  if (x.empty()) return c.fail(o, "there is no operand");
  extents whole = x[0].shape();
  int const axis = axis_of(c, o, "dimension", whole.rank);
  for (int k = 1; k < x.size() && c.ok(); ++k) {
    extents part = x[k].shape();
    bool const agrees = part.rank == whole.rank && x[k].type() == x[0].type();
    if (agrees) part[axis] = x[0].shape()[axis];
    if (!agrees || !same_shapes(c, part, x[0].shape()))
      c.fail(o, "operands differ beside the joined axis");
  }
  if (!c.ok()) return;
  if (x.size() == 1) return c.give(o, x[0]);
  extent const sum = joined_extent(c, o, x, axis);
  if (!is_named(sum)) whole[axis] = sum;
  if (is_buildable(c, o, whole)) c.give(o, concat(x, axis, sum));
}

// low…, high…, interior… of a shape: what they make of it. Sums that fit, nothing below 0.
constexpr extents padded_shape(importing& c, operation const& o, extents const& s,
                               view<extent> pads) {
  extents to = s;
  for (int i = 0; i < s.rank && c.ok(); ++i) {
    extent const low = pads[i], high = pads[s.rank + i], interior = pads[2 * s.rank + i];
    if (interior < 0) c.fail(o, "interior padding is below 0");
    else if (is_named(s[i])) {
      if (interior > 0 && (low < 0 || high < 0))
        c.fail(o, "an extent that only the run knows is not both spread and cropped");
      if (interior == 0) to[i] = moved_extent(c, s[i], low + high);
      else to[i] = c.name_of_made({5, {padded_kind, s[i], low, high, interior}});
    } else {
      extent const inside = s[i] == 0 ? 0 : s[i] + (s[i] - 1) * interior;
      to[i] = inside + low + high;
      if (inside > weft::detail::most_extent) c.fail(o, "an extent is beyond 2^31 - 1");
      else if (to[i] < 0) c.fail(o, "more is cropped than there is");
    }
  }
  return is_buildable(c, o, to) ? to : s;
}
constexpr handle padded_with(importing& c, operation const& o, handle x, handle filler,
                             view<extent> pads) {
  extents const to = padded_shape(c, o, x.shape(), pads);
  for (extent n : pads)
    if (n != 0 && c.ok()) return pad_to(x, filler, to, pads);
  return x;
}
constexpr bool check_filler(importing& c, operation const& o, handle x, handle filler) {
  if (c.ok() && (filler.shape().rank != 0 || filler.type() != x.type()))
    c.fail(o, "the filler is no scalar of the operand's element type");
  return c.ok();
}
constexpr void import_pad(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  handle const x = c.in(o, 0), filler = c.in(o, 1);
  int const rank = x.shape().rank;
  growing<extent> pads = numbers_or(c, o, "edge_padding_low", rank, 0);
  pads.append(numbers_or(c, o, "edge_padding_high", rank, 0));
  pads.append(numbers_or(c, o, "interior_padding", rank, 0));
  if (c.ok() && check_filler(c, o, x, filler)) c.give(o, padded_with(c, o, x, filler, pads));
}

// ---- bitcast_convert. A wide element is its parts, the lowest first, along a last axis.
constexpr handle as_bits(handle x, bool with_sign) {
  dtype const type = integer_like(x.type(), with_sign);
  return x.type() == type ? x : bitcast(x, type);
}
// 0, w, 2w ... along the last axis.
constexpr handle places_of_parts(recorder& r, dtype type, extents const& s, int width) {
  handle const along = iota(r, type, s, s.rank - 1);
  return along * constant(r, width, type, s);
}
constexpr handle taken_apart(handle x, dtype part) {
  extents s = x.shape();
  s.push(size_of(x.type()) / size_of(part));
  handle const b = as_bits(x, false);
  extent map[max_rank]{};
  for (int i = 0; i < s.rank - 1; ++i) map[i] = i;
  handle const wide = broadcast(b, s, {map, s.rank - 1});
  handle const at = places_of_parts(*x.where, b.type(), s, 8 * size_of(part));
  handle const moved = binary(op::shift_right_logical, b.type(), wide, at);
  handle const low = convert(moved, integer_like(part, false));
  return low.type() == part ? low : bitcast(low, part);
}
constexpr handle put_together(handle x, dtype whole) {
  dtype const type = integer_like(whole, false);
  extents const s = x.shape();
  handle const wide = convert(as_bits(x, false), type);
  handle const at = places_of_parts(*x.where, type, s, 8 * size_of(x.type()));
  handle const moved = binary(op::shift_left, type, wide, at);
  handle const sum = reduce(op::reduce_sum, moved, extent{1} << (s.rank - 1));
  return sum.type() == whole ? sum : bitcast(sum, whole);
}
constexpr void import_bitcast_convert(importing& c, operation const& o) {
  if (!c.takes(o, 1, 1)) return;
  handle const x = c.in(o, 0);
  dtype const from = x.type(), to = c.result_type(o).element;
  extents const s = x.shape();
  if (from == to) return c.give(o, x);
  if (from == dtype::boolean || to == dtype::boolean)
    return c.fail(o, "i1 has no bits of another type");
  if (size_of(from) == size_of(to)) return c.give(o, bitcast(x, to));
  if (c.lifted) return c.fail(o, "types of different widths in a body of elements");
  if (size_of(from) > size_of(to)) {
    if (s.rank == max_rank) return c.fail(o, "the result has more than 8 axes");
    extents parts = s;
    parts.push(size_of(from) / size_of(to));
    if (is_buildable(c, o, parts)) c.give(o, taken_apart(x, to));
  } else if (s.rank == 0 || s[s.rank - 1] != size_of(to) / size_of(from))
    c.fail(o, message("the last axis is not the ")
                  .add(size_of(to) / size_of(from))
                  .add(" parts of an element"));
  else c.give(o, put_together(x, to));
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
