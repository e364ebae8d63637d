// SPDX-License-Identifier: BSL-1.0
// Elementwise nodes, and constants and iota. What has a StableHLO or CHLO operation in the op table
// is that; the others are composites (decompose_elementwise.hpp).
//   stop_gradient   its operand, as are convert and bitcast to the operand's type
//   iota            of types that do not hold all indices: of i32, converted
// Needs: a graph that verify accepts. Leaves: the value of the node.
#pragma once

#include <weft/stablehlo/decompose_elementwise.hpp>
#include <weft/stablehlo/export_scope.hpp>

namespace weft::inline v0::stablehlo::detail {

// EQ NE ...; nullptr: no comparison.
constexpr char const* direction_of(op o) {
  switch (o) {
    case op::equal: return "EQ";
    case op::not_equal: return "NE";
    case op::less: return "LT";
    case op::less_equal: return "LE";
    case op::greater: return "GT";
    case op::greater_equal: return "GE";
    default: return nullptr;
  }
}
// The operation that the op table names. A name without a dialect is StableHLO's.
constexpr code code_of_row(op o) {
  char const* const spelling = info_of(o).stablehlo;
  growing<char> name;
  bool dialect = false;
  for (char const* c = spelling; *c != '\0'; ++c) dialect |= *c == '.';
  for (char const* c = dialect ? "" : "stablehlo."; *c != '\0'; ++c) name.push(*c);
  for (char const* c = spelling; *c != '\0'; ++c) name.push(*c);
  return code_of(name);
}

// Is it a constant without a zero, or one that is broadcast?
constexpr bool is_never_zero(graph_view g, int id) {
  while (g[id].code == op::broadcast) id = g.operand(id, 0);
  if (g[id].code != op::constant) return false;
  if (g[id].attribute_count == 1) return g.attribute(id, 0) != 0;
  int const first = static_cast<int>(g.attribute(id, 0));
  for (int i = 0; i < static_cast<int>(count_of(g.shape(id))); ++i)
    if (g.constants[first + i] == 0) return false;
  return true;
}
constexpr bool is_own(export_scope const& s, int id, dtype in) {
  node const& n = s.g[id];
  bool const divides = n.code == op::div || n.code == op::remainder;
  if (divides && is_never_zero(s.g, s.g.operand(id, 1))) return false;
  return has_decomposition(n.code, in, n.type);
}
constexpr int export_elementwise(export_scope& s, int id) {
  node const& n = s.g[id];
  dtype const in = s.w.element(s.operand(id, typical_operand(n.code)));
  if (is_own(s, id, in)) {
    growing<typed_shape> const results(result_count(s.g, id), typed_shape{n.type, s.g.shape(id)});
    return call_own(s, n.code, {}, s.operands(id), results);
  }
  bool const same = (n.code == op::convert || n.code == op::bitcast) && in == n.type;
  if (same || n.code == op::stop_gradient) return s.operand(id, 0);
  if (char const* const direction = direction_of(n.code); direction != nullptr)
    return compare(s.w, direction, s.operand(id, 0), s.operand(id, 1));
  return s.w.emit(code_of_row(n.code), s.operands(id), n.type, s.g.shape(id));
}

constexpr int export_constant(export_scope& s, int id) {
  node const& n = s.g[id];
  extent const first = s.g.attribute(id, 0);
  if (n.attribute_count == 1) return splat(s.w, n.type, s.g.shape(id), static_cast<word>(first));
  int const count = static_cast<int>(count_of(s.g.shape(id)));
  return table(s.w, n.type, s.g.shape(id), s.g.constants.part(static_cast<int>(first), count));
}

// Does the type hold 0 to n - 1, a name counting as any number?
constexpr bool holds_indices(dtype d, extent n) {
  if (size_of(d) >= 4) return true;
  if (is_named(n)) return false;
  if (is_float(d)) return n <= (d == dtype::bf16 ? 257 : 2049);
  return n <= extent{1} << (8 * size_of(d) - (is_signed(d) ? 1 : 0));
}
constexpr int export_iota(export_scope& s, int id) {
  extents const shape = s.g.shape(id);
  int const axis = static_cast<int>(s.g.attribute(id, 0));
  dtype const type = s.g[id].type;
  if (holds_indices(type, shape[axis])) return iota(s.w, type, shape, axis);
  return convert(s.w, iota(s.w, dtype::i32, shape, axis), type);
}

// The decomposition of an elementwise op as a function.
constexpr graph elementwise_graph(own_call const& c) {
  return elementwise_decomposition(c.code, c.operands.size(), c.operands[0].element,
                                   c.results[0].shape)
      .made();
}
// x / 0 has all bits set, x rem 0 is x.
constexpr int division_body(module_writer& w, op o, int x, int y) {
  dtype const d = w.element(x);
  int const by_zero = compare(w, "EQ", y, number_like(w, 0, y));
  int const divisor = select(w, by_zero, number_like(w, 1, y), y);
  int const result = binary(w, code_of_row(o), x, divisor);
  int const otherwise = o == op::remainder ? x
                                           : splat(w, d, w.shape(x), weft::detail::storage_mask(d));
  return select(w, by_zero, otherwise, result);
}
// bitcast of floats has none as a graph: it is NaN made quiet, then the bits.
constexpr int bitcast_body(module_writer& w, int x, dtype to) {
  word const nan = static_cast<word>(bits_of(__builtin_nan(""), w.element(x)));
  int const quiet = splat(w, w.element(x), w.shape(x), nan);
  int const clean = select(w, compare(w, "NE", x, x), quiet, x);
  return w.emit(code::bitcast_convert, {&clean, 1}, to, w.shape(x));
}

} // namespace weft::inline v0::stablehlo::detail
