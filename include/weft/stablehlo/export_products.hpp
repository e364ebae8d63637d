// SPDX-License-Identifier: BSL-1.0
// contract as dot_general.
//   batching     labels of a, b and the result, in the result's order
//   contracting  labels of a and b alone, in a's order, which is the order of weft's sum
//   result       batching, the rest of a, the rest of b; then transposed to the node's labels
// The dot has the accumulation type, of operands that are converted to it (products of 16-bit floats
// are exact in float, and XLA's CPU has no dot of them with a float result at all sizes); a bias is
// added in it, and one conversion follows: the bits are the node's. What a dot_general cannot say is a composite: a start value, and an order of
// addition other than the one that such operands have (order_for).
// Needs: a graph that verify accepts. Leaves: the value of the node.
#pragma once

#include <weft/stablehlo/export_scope.hpp>

namespace weft::inline v0::stablehlo::detail {

// Precision of both operands: that of their type, on every device.
constexpr attribute full_precision(module_writer& w) {
  attribute const one = w.enumerator("", "HIGHEST");
  attribute const both[] = {one, one};
  return w.list("precision_config", {both, 2});
}

struct dot_dimensions {
  growing<extent> batch_a, batch_b, sum_a, sum_b;
  growing<extent> labels; // of the dot's result
};
constexpr dot_dimensions dot_dimensions_of(contraction const& c) {
  dot_dimensions d;
  for (int i = 0; i < c.rank_out; ++i)
    if (c.in_a(c.out[i]) && c.in_b(c.out[i])) {
      d.batch_a.push(contraction::find(c.a, c.rank_a, c.out[i]));
      d.batch_b.push(contraction::find(c.b, c.rank_b, c.out[i]));
      d.labels.push(c.out[i]);
    }
  for (int i = 0; i < c.rank_a; ++i) {
    if (c.contracted(c.a[i])) {
      d.sum_a.push(i);
      d.sum_b.push(contraction::find(c.b, c.rank_b, c.a[i]));
    } else if (!c.in_b(c.a[i])) d.labels.push(c.a[i]);
  }
  for (int i = 0; i < c.rank_b; ++i)
    if (!c.in_a(c.b[i])) d.labels.push(c.b[i]);
  return d;
}

// The product alone, in the accumulation type, with the node's axes.
constexpr int dot_general(module_writer& w, contraction const& c, int a, int b) {
  dot_dimensions const d = dot_dimensions_of(c);
  growing<attribute> lists;
  auto list = [&](char const* name, growing<extent> const& axes) {
    if (!axes.empty()) lists.push(w.integers(name, axes));
  };
  list("lhs_batching_dimensions", d.batch_a);
  list("rhs_batching_dimensions", d.batch_b);
  list("lhs_contracting_dimensions", d.sum_a);
  list("rhs_contracting_dimensions", d.sum_b);
  attribute const all[] = {w.record("dot_dimension_numbers", lists), full_precision(w)};
  extents shape;
  growing<extent> order(c.rank_out, 0);
  for (int i = 0; i < d.labels.size(); ++i) {
    int const at = contraction::find(c.a, c.rank_a, d.labels[i]);
    shape.push(at >= 0 ? w.shape(a)[at]
                       : w.shape(b)[contraction::find(c.b, c.rank_b, d.labels[i])]);
    order[contraction::find(c.out, c.rank_out, d.labels[i])] = i;
  }
  dtype const type = accumulator_of(w.element(a));
  int const both[] = {convert(w, a, type), convert(w, b, type)};
  return transpose(w, w.emit(code::dot_general, {both, 2}, type, shape, {all, 2}), order);
}
// + bias in the accumulation type, then one rounding.
constexpr int with_bias(module_writer& w, int sum, int bias, dtype type) {
  if (bias >= 0) sum = binary(w, code::add, sum, convert(w, bias, w.element(sum)));
  return convert(w, sum, type);
}

constexpr bool is_dot(contraction const& c, extents const& a, extents const& b) {
  return !c.has_start && c.order == order_for(c, a, b);
}
constexpr int export_contraction(export_scope& s, int id) {
  contraction const c = contraction_of(s.g, id);
  int const a = s.operand(id, 0), b = s.operand(id, 1);
  if (!is_dot(c, s.w.shape(a), s.w.shape(b))) return call_own(s, id);
  return with_bias(s.w, dot_general(s.w, c, a, b), c.has_bias ? s.operand(id, 2) : -1,
                   s.g[id].type);
}
// The decomposition: the start value, then the product, in no order that anybody promises.
constexpr int contraction_body(module_writer& w, contraction const& c, view<int> x, dtype type) {
  int sum = dot_general(w, c, x[0], x[1]);
  if (c.has_start) sum = binary(w, code::add, x[2], sum);
  return with_bias(w, sum, c.has_bias ? x[c.has_start ? 3 : 2] : -1, type);
}

} // namespace weft::inline v0::stablehlo::detail
