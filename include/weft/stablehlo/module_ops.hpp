// SPDX-License-Identifier: BSL-1.0
// The operations that exports are made of, one function each: they know the attributes' names, and
// where a result has a named extent they take the dynamic form (dynamic_broadcast_in_dim ...), with
// the shape made from the extents that the writer knows.
// Needs: operands that fit. Errors: usage_error where a named extent is not known yet.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/stablehlo/module_writer.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr int unary(module_writer& w, code what, int x) {
  return w.emit(what, {&x, 1}, w.element(x), w.shape(x));
}
constexpr int binary(module_writer& w, code what, int x, int y) {
  int const both[] = {x, y};
  return w.emit(what, {both, 2}, w.element(x), w.shape(x));
}
constexpr int select(module_writer& w, int p, int x, int y) {
  int const all[] = {p, x, y};
  return w.emit(code::select, {all, 3}, w.element(x), w.shape(x));
}
constexpr int convert(module_writer& w, int x, dtype to) {
  return w.element(x) == to ? x : w.emit(code::convert, {&x, 1}, to, w.shape(x));
}
// direction: EQ NE LT LE GT GE
constexpr int compare(module_writer& w, char const* direction, int x, int y) {
  dtype const d = w.element(x);
  char const* kind = is_float(d) ? "FLOAT" : is_signed(d) ? "SIGNED" : "UNSIGNED";
  attribute const how[] = {w.enumerator("comparison_direction", direction),
                           w.enumerator("compare_type", kind)};
  int const both[] = {x, y};
  return w.emit(code::compare, {both, 2}, dtype::boolean, w.shape(x), {how, 2});
}

// Shapes as values: i32, one element per axis.
[[noreturn]] inline void raise_unknown_extent(extent name) {
  extents one;
  one.push(name);
  raise<usage_error>(message("weft: stablehlo: the extent ")
                         .add(one)
                         .add(" is used before an argument or an op gives it"));
}
constexpr int table(module_writer& w, dtype element, extents const& shape, view<word> words) {
  attribute const value = w.elements("value", element, shape, words);
  return w.emit(code::constant, {}, element, shape, {&value, 1});
}
constexpr int scalar(module_writer& w, dtype element, word bits) {
  return table(w, element, {}, {&bits, 1});
}
constexpr int scalar_i32(module_writer& w, extent n) {
  return scalar(w, dtype::i32, static_cast<std::uint32_t>(n));
}
constexpr int as_vector(module_writer& w, int x) {
  return w.emit(code::reshape, {&x, 1}, w.element(x), extents{1, {1}});
}
constexpr int join(module_writer& w, view<int> parts, int axis, extents const& to) {
  attribute const along = w.integer("dimension", axis);
  return w.emit(code::concatenate, parts, w.element(parts[0]), to, {&along, 1});
}
// An extent as a rank-0 i32.
constexpr int extent_value(module_writer& w, extent e) {
  if (!is_named(e)) return scalar_i32(w, e);
  int const known = w.known_extent(e);
  if (known < 0) raise_unknown_extent(e);
  return known;
}
constexpr int shape_value(module_writer& w, extents const& s) {
  growing<int> parts;
  for (int i = 0; i < s.rank; ++i) parts.push(as_vector(w, extent_value(w, s[i])));
  return parts.size() == 1 ? parts[0] : join(w, parts, 0, extents{1, {s.rank}});
}
constexpr int dimension_size(module_writer& w, int x, int axis) {
  attribute const which = w.integer("dimension", axis);
  return w.emit(code::get_dimension_size, {&x, 1}, dtype::i32, extents{}, {&which, 1});
}
// What x tells of named extents that were not known.
constexpr void learn_extents(module_writer& w, int x) {
  extents const s = w.shape(x);
  for (int i = 0; i < s.rank; ++i)
    if (is_named(s[i]) && w.known_extent(s[i]) < 0) w.know_extent(s[i], dimension_size(w, x, i));
}

// movement
constexpr int broadcast(module_writer& w, int x, extents const& to, view<extent> map) {
  attribute const axes = w.integers("broadcast_dimensions", map);
  if (is_static(to)) return w.emit(code::broadcast_in_dim, {&x, 1}, w.element(x), to, {&axes, 1});
  int const both[] = {x, shape_value(w, to)};
  return w.emit(code::dynamic_broadcast_in_dim, {both, 2}, w.element(x), to, {&axes, 1});
}
constexpr int reshape(module_writer& w, int x, extents const& to) {
  if (w.shape(x) == to) return x;
  if (is_static(to)) return w.emit(code::reshape, {&x, 1}, w.element(x), to);
  int const both[] = {x, shape_value(w, to)};
  return w.emit(code::dynamic_reshape, {both, 2}, w.element(x), to);
}
constexpr int transpose(module_writer& w, int x, view<extent> permutation) {
  extents to;
  bool identity = true;
  for (int i = 0; i < permutation.size(); ++i) {
    to.push(w.shape(x)[static_cast<int>(permutation[i])]);
    identity &= permutation[i] == i;
  }
  if (identity) return x;
  attribute const order = w.integers("permutation", permutation);
  return w.emit(code::transpose, {&x, 1}, w.element(x), to, {&order, 1});
}
constexpr int reverse(module_writer& w, int x, view<extent> axes) {
  if (axes.empty()) return x;
  attribute const along = w.integers("dimensions", axes);
  return w.emit(code::reverse, {&x, 1}, w.element(x), w.shape(x), {&along, 1});
}
constexpr int iota(module_writer& w, dtype element, extents const& shape, int axis) {
  attribute const along = w.integer("iota_dimension", axis);
  if (is_static(shape)) return w.emit(code::iota, {}, element, shape, {&along, 1});
  int const to = shape_value(w, shape);
  return w.emit(code::dynamic_iota, {&to, 1}, element, shape, {&along, 1});
}

// A constant with one element for all places; and the same of a number.
constexpr int splat(module_writer& w, dtype element, extents const& shape, word bits) {
  if (is_static(shape)) return table(w, element, shape, {&bits, 1});
  return broadcast(w, scalar(w, element, bits), shape, {});
}
constexpr int number(module_writer& w, double x, dtype element, extents const& shape) {
  return splat(w, element, shape, static_cast<word>(bits_of(x, element)));
}
constexpr int number_like(module_writer& w, double n, int x) {
  return number(w, n, w.element(x), w.shape(x));
}

// A region of two rank-0 arguments a and b that returns one operation of them.
constexpr int combiner(module_writer& w, code what, dtype element) {
  w.open_region();
  int const a = w.argument(element, {}), b = w.argument(element, {});
  int const result = binary(w, what, a, b);
  w.end(code::stablehlo_return, {&result, 1});
  return w.close_region();
}
// x over a set of axes, from a neutral start.
constexpr int reduce(module_writer& w, code what, int x, word start, extent axes,
                     extents const& to) {
  dtype const d = w.element(x);
  int const body = combiner(w, what, d);
  int const both[] = {x, scalar(w, d, start)};
  attribute const over = w.integers("dimensions", axes_of(axes));
  return w.emit(code::reduce, {both, 2}, d, to, {&over, 1}, {&body, 1});
}

} // namespace weft::inline v0::stablehlo::detail
