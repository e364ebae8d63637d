// SPDX-License-Identifier: BSL-1.0
// Building by hand: one function per primitive op over untyped handles, for derivative rules,
// transforms and the typed doors. Operands must already agree in shape and type (doors check, and
// verify.hpp does); numbers are made with `constant`.
// Needs: recorder.hpp. Leaves: nodes in the open region of the recorder that is passed or found.
#pragma once

#include <weft/graph/recorder.hpp>
#include <weft/graph/window_list.hpp>

namespace weft::inline v0 {

// The bits of a number as an element of type d, as constants keep them.
constexpr extent bits_of(double value, dtype d) {
  word bits = 0;
  if (d == dtype::boolean) bits = value != 0;
  else if (d == dtype::f64) bits = word_of(value);
  else if (d == dtype::f32) bits = word_of(static_cast<float>(value));
  else if (d == dtype::bf16) bits = word_of(bf16(value));
  else if (d == dtype::f16) bits = word_of(f16(value));
  else { // integers wrap
    bits = value < 0 ? static_cast<word>(static_cast<std::int64_t>(value))
                     : static_cast<word>(value);
    bits &= detail::storage_mask(d);
  }
  return static_cast<extent>(bits);
}

constexpr handle constant_bits(recorder& r, extent bits, dtype type, extents const& shape) {
  extent attribute[] = {bits};
  return r.emit(op::constant, type, shape, {}, {attribute, 1});
}
constexpr handle constant(recorder& r, double value, dtype type, extents const& shape) {
  return constant_bits(r, bits_of(value, type), type, shape);
}
constexpr handle iota(recorder& r, dtype type, extents const& shape, int axis) {
  extent attribute[] = {axis};
  return r.emit(op::iota, type, shape, {}, {attribute, 1});
}

// Where a node over these operands is recorded: the innermost of their recorders.
constexpr recorder& place_of(view<handle> operands) {
  recorder* best = operands[0].where;
  for (handle h : operands)
    for (recorder* r = h.where == best ? nullptr : h.where; r != nullptr; r = r->outer())
      if (r == best) best = h.where;
  return *best;
}
constexpr handle emit(op code, dtype type, extents const& shape, view<handle> operands,
                      view<extent> attributes = {}) {
  return place_of(operands).emit(code, type, shape, operands, attributes);
}

constexpr handle unary(op code, handle a) { return emit(code, a.type(), a.shape(), {&a, 1}); }
constexpr handle binary(op code, dtype type, handle a, handle b) {
  handle both[] = {a, b};
  return emit(code, type, a.shape(), {both, 2});
}
constexpr handle operator+(handle a, handle b) { return binary(op::add, a.type(), a, b); }
constexpr handle operator-(handle a, handle b) { return binary(op::sub, a.type(), a, b); }
constexpr handle operator*(handle a, handle b) { return binary(op::mul, a.type(), a, b); }
constexpr handle operator/(handle a, handle b) { return binary(op::div, a.type(), a, b); }
constexpr handle operator-(handle a) { return unary(op::neg, a); }
constexpr handle compare(op code, handle a, handle b) { return binary(code, dtype::boolean, a, b); }
constexpr handle less(handle a, handle b) { return compare(op::less, a, b); }
constexpr handle greater(handle a, handle b) { return compare(op::greater, a, b); }
constexpr handle equal(handle a, handle b) { return compare(op::equal, a, b); }
constexpr handle select(handle p, handle a, handle b) {
  handle all[] = {p, a, b};
  return emit(op::select, a.type(), a.shape(), {all, 3});
}
constexpr handle convert(handle a, dtype to) {
  return a.type() == to ? a : emit(op::convert, to, a.shape(), {&a, 1});
}
constexpr handle bitcast(handle a, dtype to) { return emit(op::bitcast, to, a.shape(), {&a, 1}); }
constexpr handle get(handle several, int i, dtype type, extents const& shape) {
  extent attribute[] = {i};
  return emit(op::get, type, shape, {&several, 1}, {attribute, 1});
}

// Axis i of x becomes axis map[i] of the result; identical shapes need no node.
constexpr handle broadcast(handle x, extents const& to, view<extent> map) {
  if (x.shape() == to) return x;
  return emit(op::broadcast, x.type(), to, {&x, 1}, map);
}
// NumPy's rule: axes are aligned at the end.
constexpr handle broadcast_to(handle x, extents const& to) {
  extent map[max_rank]{};
  int lead = to.rank - x.shape().rank;
  for (int i = 0; i < x.shape().rank; ++i) map[i] = lead + i;
  return broadcast(x, to, {map, x.shape().rank});
}
constexpr handle reshape(handle x, extents const& to) {
  if (x.shape() == to) return x;
  return emit(op::reshape, x.type(), to, {&x, 1});
}
constexpr handle transpose(handle x, view<extent> permutation) {
  extents to;
  bool identity = true;
  for (int i = 0; i < permutation.size(); ++i) {
    to.push(x.shape()[static_cast<int>(permutation[i])]);
    identity &= permutation[i] == i;
  }
  return identity ? x : emit(op::transpose, x.type(), to, {&x, 1}, permutation);
}
// attributes: start…, limit…, stride… (strides positive); a named axis is taken whole.
constexpr handle slice(handle x, view<extent> attributes) {
  int rank = x.shape().rank;
  extents to;
  for (int i = 0; i < rank; ++i) {
    extent start = attributes[i], limit = attributes[rank + i], stride = attributes[2 * rank + i];
    to.push(is_named(limit) ? limit : limit <= start ? 0 : (limit - start + stride - 1) / stride);
  }
  if (to == x.shape()) return x;
  return emit(op::slice, x.type(), to, {&x, 1}, attributes);
}
// The same, of named axes too: `to` names what is taken of them.
constexpr handle slice_to(handle x, extents const& to, view<extent> attributes) {
  return takes_all(x.shape(), attributes) ? x : emit(op::slice, x.type(), to, {&x, 1}, attributes);
}
constexpr handle slice_axis(handle x, int axis, extent start, extent length) {
  int rank = x.shape().rank;
  extent attributes[3 * max_rank]{};
  for (int i = 0; i < rank; ++i) {
    attributes[i] = i == axis ? start : 0;
    attributes[rank + i] = i == axis ? start + length : x.shape()[i];
    attributes[2 * rank + i] = 1;
  }
  return slice(x, {attributes, 3 * rank});
}
constexpr handle reverse(handle x, extent axes) {
  if (axes == 0) return x;
  return emit(op::reverse, x.type(), x.shape(), {&x, 1}, {&axes, 1});
}
// attributes: names of mesh axes per axis (graph/sharding.hpp).
constexpr handle shard(handle x, view<extent> attributes) {
  return emit(op::shard, x.type(), x.shape(), {&x, 1}, attributes);
}
// attributes: axis…, size…, stride…, dilation… of windows (graph/window_list.hpp).
constexpr handle window(handle x, view<extent> attributes) {
  return emit(op::window, x.type(), windowed(x.shape(), window_list(attributes)), {&x, 1},
              attributes);
}
constexpr handle overlap_add(handle x, extents const& to, view<extent> attributes) {
  return emit(op::overlap_add, x.type(), to, {&x, 1}, attributes);
}
// attributes: low…, high…, interior…; a high of before_end(0): as many as `to` has room for.
constexpr handle pad_to(handle x, handle filler, extents const& to, view<extent> attributes) {
  handle both[] = {x, filler};
  return emit(op::pad, x.type(), to, {both, 2}, attributes);
}
constexpr handle pad(handle x, handle filler, view<extent> attributes) {
  int rank = x.shape().rank;
  extents to;
  for (int i = 0; i < rank; ++i)
    to.push(padded(x.shape()[i], attributes[i], attributes[rank + i], attributes[2 * rank + i]));
  return pad_to(x, filler, to, attributes);
}
// Where a joined extent is a name, so is the result's: `name`.
constexpr handle concat(view<handle> parts, int axis, extent name = 0) {
  extents to = parts[0].shape();
  for (int i = 1; i < parts.size(); ++i) to[axis] += parts[i].shape()[axis];
  if (is_named(name)) to[axis] = name;
  extent attribute[] = {axis};
  return emit(op::concat, parts[0].type(), to, parts, {attribute, 1});
}
constexpr handle dynamic_slice(handle x, extents const& window, view<handle> starts) {
  growing<handle> all;
  all.push(x);
  all.append(starts);
  return emit(op::dynamic_slice, x.type(), window, all);
}
constexpr handle dynamic_update_slice(handle x, handle update, view<handle> starts) {
  growing<handle> all;
  all.push(x);
  all.push(update);
  all.append(starts);
  return emit(op::dynamic_update_slice, x.type(), x.shape(), all);
}
// Reduces an axis set; an empty set is the identity.
constexpr handle reduce(op code, handle x, extent axes) {
  if (axes == 0) return x;
  return emit(code, x.type(), without_axes(x.shape(), axes), {&x, 1}, {&axes, 1});
}
constexpr handle sum_all(handle x) {
  return reduce(op::reduce_sum, x, (extent{1} << x.shape().rank) - 1);
}
// What was reduced over `axes`, at every place of `whole`.
constexpr handle spread_over(handle h, extents const& whole, extent axes) {
  extent map[max_rank]{};
  int rank = 0;
  for (int i = 0; i < whole.rank; ++i)
    if (!has_axis(axes, i)) map[rank++] = i;
  return broadcast(h, whole, {map, rank});
}
// `type` is the result's; the order must be set by the caller (order_for).
constexpr handle contract(handle a, handle b, contraction const& c, dtype type, handle start = {},
                          handle bias = {}) {
  growing<handle> all;
  all.push(a);
  all.push(b);
  if (c.has_start) all.push(start);
  if (c.has_bias) all.push(bias);
  return emit(op::contract, type, shape_of(c, a.shape(), b.shape()), all, encode(c));
}

// Inverses that derivative rules ask for.

// Of a limit of a named axis: 0 for the name itself, and for numbers.
constexpr extent distance_of(extent limit) {
  return is_before_end(limit) ? distance_to_end(limit) : 0;
}
constexpr handle transpose_back(handle ct, view<extent> permutation) {
  extent inverse[max_rank]{};
  for (int i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return transpose(ct, {inverse, permutation.size()});
}
// Cotangent of a slice: zeros around and between.
constexpr handle unslice(handle ct, extents const& whole, view<extent> attributes) {
  int rank = whole.rank;
  extent pads[3 * max_rank]{};
  for (int i = 0; i < rank; ++i) {
    if (takes_whole(whole, attributes, i)) continue;
    extent start = attributes[i], stride = attributes[2 * rank + i], kept = ct.shape()[i];
    pads[i] = start;
    pads[rank + i] = is_named(whole[i])
                         ? before_end(distance_of(attributes[rank + i]))
                         : whole[i] - start - (kept == 0 ? 0 : (kept - 1) * stride + 1);
    pads[2 * rank + i] = stride - 1;
  }
  return pad_to(ct, constant(*ct.where, 0, ct.type(), {}), whole, {pads, 3 * rank});
}
// Cotangent of one part of a concat, which the parts of extents `before` precede.
constexpr handle unconcat(handle ct, int axis, extents const& part, view<extent> before) {
  recorder& r = *ct.where;
  extent known = 0;
  handle start;
  for (extent e : before) {
    if (!is_named(e)) known += e;
    else {
      handle count = convert(sum_all(constant(r, 1, dtype::u32, {1, {e}})), dtype::i32);
      start = start.valid() ? start + count : count;
    }
  }
  if (!is_named(ct.shape()[axis])) return slice_axis(ct, axis, known, part[axis]);
  handle first = constant(r, static_cast<double>(known), dtype::i32, {});
  growing<handle> starts(part.rank, constant(r, 0, dtype::i32, {}));
  starts[axis] = start.valid() ? start + first : first;
  return dynamic_slice(ct, part, starts);
}
// Cotangent of a pad's operand, of axes that are numbers or unchanged.
constexpr handle unpad_numbers(handle ct, extents const& inner, view<extent> attributes) {
  int rank = inner.rank;
  extent fit[3 * max_rank]{}, cut[3 * max_rank]{};
  bool cropped = false;
  for (int i = 0; i < rank; ++i) {
    extent low = attributes[i], high = attributes[rank + i], step = attributes[2 * rank + i] + 1;
    fit[i] = low < 0 ? -low : 0;
    fit[rank + i] = high < 0 ? -high : 0;
    cropped |= low < 0 || high < 0;
    cut[i] = low < 0 ? 0 : low;
    extent inside = inner[i] <= 0 ? inner[i] : (inner[i] - 1) * step + 1;
    cut[rank + i] = is_named(inner[i]) ? inner[i] : cut[i] + inside;
    cut[2 * rank + i] = step;
  }
  handle whole = cropped ? pad(ct, constant(*ct.where, 0, ct.type(), {}), {fit, 3 * rank}) : ct;
  return slice(whole, {cut, 3 * rank});
}
// The same along an axis of which a name tells the extent, before or after the pad.
constexpr handle unpad_named(handle ct, int axis, extent inner, view<extent> attributes) {
  extents to = ct.shape();
  int const rank = to.rank;
  extent const low = attributes[axis], high = attributes[rank + axis],
               step = attributes[2 * rank + axis] + 1, whole = to[axis];
  extent at[3 * max_rank]{};
  to[axis] = inner;
  if (step == 1 && !is_before_end(high)) {
    at[axis] = -low;
    at[rank + axis] = before_end(0);
    return pad_to(ct, constant(*ct.where, 0, ct.type(), {}), to, {at, 3 * rank});
  }
  extent const behind = is_before_end(high) ? distance_to_end(high) : high;
  for (int i = 0; i < rank; ++i) {
    at[rank + i] = ct.shape()[i];
    at[2 * rank + i] = 1;
  }
  at[axis] = low;
  at[2 * rank + axis] = step;
  at[rank + axis] = !is_named(inner) ? low + (inner == 0 ? 0 : (inner - 1) * step + 1)
                    : behind == 0    ? whole
                                     : before_end(behind);
  return slice_to(ct, to, {at, 3 * rank});
}
// Cotangent of a pad's operand: the elements that were its own; cropped ones get zero.
constexpr handle unpad(handle ct, extents const& inner, view<extent> attributes) {
  int rank = inner.rank;
  growing<extent> rest(attributes); // of the axes with numbers
  for (int i = 0; i < rank; ++i) {
    if (ct.shape()[i] == inner[i] || (!is_named(inner[i]) && !is_named(ct.shape()[i]))) continue;
    ct = unpad_named(ct, i, inner[i], attributes);
    rest[i] = rest[rank + i] = rest[2 * rank + i] = 0;
  }
  return unpad_numbers(ct, inner, rest);
}
// Cotangents of a pad's filler: the elements that are no operand's; the others are zero.
constexpr handle of_filler(handle ct, extents const& inner, view<extent> attributes) {
  recorder& r = *ct.where;
  handle const own = constant(r, 1, dtype::boolean, inner),
               filler = constant(r, 0, dtype::boolean, {});
  handle const zeros = constant(r, 0, ct.type(), ct.shape());
  return select(pad_to(own, filler, ct.shape(), attributes), zeros, ct);
}

} // namespace weft::inline v0
