// SPDX-License-Identifier: BSL-1.0
// autocast: runs products in a 16-bit type and what needs range in float, by the policy column of
// the op table alone:
//   low      float operands and result in `low`; x, w and bias are rounded, product and bias are
//            added in float, one rounding. A product recorded in another type than f32 stays so.
//   full     operands and result in f32, or f64 where an operand is
//   promote  all operands and the result in the widest type of the float operands
//   follow   the type that the operand has
// What a function made of several ops asks for goes first (node::casting): `full`, the parts of
// softmax or mean, has operands and results in float whatever their ops' policies are, and rounds
// nothing by itself; `recorded`, a region with autocast<float>, stays as it is and takes its
// operands in the types they were recorded with. An einsum of several sums and products is one op
// with the policy low: what its parts (`low`, `within_low`) take from outside is rounded, their own
// results are float until the last.
// A number written in the program (a splat constant, or a view of one) takes the type of the other
// operands and never widens them. A `convert` gives the type it was recorded with, and is nothing
// when its operand has that type by now: convert<bf16>(einsum) is the product's own bits.
// Needs: a verified graph, not yet differentiated (then parameters' gradients are float, and what
// is saved is low). Leaves: inputs, outputs, carries and ys of the declared types; xs and constants
// of a loop have the type of what they are bound to. Linear, one sweep.
#pragma once

#include <weft/graph/interpret_elementwise.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class caster {
public:
  constexpr caster(rewriter& w, dtype low) : w_(w), low_(low) {}

  // The new node that node i is.
  constexpr int rewritten(int i) {
    node const& n = w_.from[i];
    if (n.code == op::parameter) {
      prepare_operand(i);
      return w_.copy(i, bound_type(i));
    }
    if (n.body >= 0) return loop_node(i);
    if (info_of(n.code).kind == op_kind::source) return w_.copy(i, source_type(i));
    if (n.casting == cast_rule::recorded || n.code == op::custom_call) return as_recorded(i);
    if (is_part(i)) return n.casting == cast_rule::low ? cast(part(i), low_) : part(i);
    bool full = n.casting == cast_rule::full || info_of(n.code).policy == autocast_policy::full;
    if (n.code == op::convert) return cast(in(i, 0), full ? unrounded(i) : n.type);
    if (n.code == op::bitcast) return with_operands_of(i, recorded_type(i, 0), n.type);
    if (info_of(n.code).kind == op_kind::contraction) return product(i);
    if (has_recorded_types(n, full)) return w_.copy(i);
    return in_type(i, full ? accumulator_of(common_type(i)) : common_type(i));
  }
  // Outputs of region r in the types they were declared with.
  constexpr growing<int> declared_outputs(int r) {
    growing<int> ids;
    for (int id : w_.from.outputs_of(r)) ids.push(back(w_.map[id], w_.from[id].type));
    return ids;
  }

private:
  constexpr int in(int i, int k) const { return w_.map[w_.from.operand(i, k)]; }
  constexpr dtype type_of(int id) const { return w_.result[id].type; }
  constexpr dtype recorded_type(int i, int k) const { return w_.from[w_.from.operand(i, k)].type; }

  // Nothing to do: the operands have the types they were recorded with.
  constexpr bool has_recorded_types(node const& n, bool full) const {
    node const* old_nodes = w_.from.nodes.first;
    node const* new_nodes = w_.result.nodes.data();
    int const* operands = w_.from.operands.first + n.first_operand;
    for (int k = 0; k < n.operand_count; ++k) {
      dtype type = new_nodes[w_.map.data()[operands[k]]].type;
      if (type != old_nodes[operands[k]].type || (full && is_half(type))) return false;
    }
    return true;
  }
  // A loop hands xs and constants in as they are; carries have their declared types.
  constexpr dtype bound_type(int i) const {
    graph_view g = w_.from;
    int owner = g.regions[g[i].region].owner, k = static_cast<int>(g.attribute(i, 0));
    if (owner < 0 || k < loop_of(g, owner).carries) return g[i].type;
    if (g[owner].casting == cast_rule::recorded) return g[i].type;
    return type_of(w_.map[g.operand(owner, k)]);
  }
  // What a loop takes in its declared type, before the parameter that stands for it.
  constexpr void prepare_operand(int i) {
    graph_view g = w_.from;
    int owner = g.regions[g[i].region].owner, k = static_cast<int>(g.attribute(i, 0));
    if (owner >= 0 && (k < loop_of(g, owner).carries || g[owner].casting == cast_rule::recorded))
      back(w_.map[g.operand(owner, k)], g[i].type);
  }
  // A region of checkpoint changes no type: its results are what its body gives. (No conditional
  // expression: g++ 12 destroys both sides in constant evaluation.)
  constexpr growing<int> outputs_of_loop(int i) {
    int const body = w_.from[i].body;
    if (loop_of(w_.from, i).is_region()) return w_.mapped(w_.from.outputs_of(body));
    return declared_outputs(body);
  }
  constexpr dtype source_type(int i) const {
    node const& n = w_.from[i];
    if (n.code != op::get) return n.type;
    int const from = w_.from.operand(i, 0), body = w_.from[from].body;
    if (body < 0 || !loop_of(w_.from, from).is_region()) return n.type;
    return type_of(w_.map[w_.from.outputs_of(body)[static_cast<int>(w_.from.attribute(i, 0))]]);
  }
  constexpr int loop_node(int i) {
    node n = w_.from[i];
    growing<int> operands;
    for (int k = 0; k < n.operand_count; ++k)
      operands.push(back(in(i, k), type_of(w_.map[w_.from.parameters_of(n.body)[k]])));
    growing<int> outputs = outputs_of_loop(i);
    w_.map[i] = w_.result.add(n, operands, w_.from.attributes_of(i));
    w_.close(n.body, outputs);
    return w_.map[i];
  }
  constexpr int as_recorded(int i) {
    node const& n = w_.from[i];
    if (has_recorded_types(n, false)) return w_.copy(i);
    growing<int> operands;
    for (int k = 0; k < n.operand_count; ++k) operands.push(back(in(i, k), recorded_type(i, k)));
    return add(i, n.type, operands);
  }
  // Of a conversion in a function that runs in float: a float's other float type is not taken.
  constexpr dtype unrounded(int i) const {
    dtype const to = w_.from[i].type, from = type_of(in(i, 0));
    if (!is_float(to)) return to;
    return accumulator_of(is_float(from) ? from : to);
  }
  constexpr bool is_start(int i, int k) const {
    return k == 2 && w_.from[i].code == op::contract && contraction_of(w_.from, i).has_start;
  }
  constexpr int product(int i) {
    dtype recorded = recorded_type(i, 0), result = w_.from[i].type;
    if (!is_float(recorded)) return w_.copy(i);
    bool rewrite = recorded == dtype::f32;
    dtype type = rewrite ? low_ : recorded;
    for (int k = 0; rewrite && k < 2; ++k)
      if (is_inner(w_.from.operand(i, k))) return cast(part(i), low_);
    growing<int> operands;
    for (int k = 0; k < w_.from[i].operand_count; ++k)
      operands.push(back(in(i, k), is_start(i, k) ? accumulator_of(type) : type));
    return add(i, rewrite ? low_ : result, operands);
  }
  // A sum or product of an einsum that has several.
  constexpr bool is_part(int i) const {
    node const& n = w_.from[i];
    if (n.casting != cast_rule::low && n.casting != cast_rule::within_low) return false;
    return n.type == dtype::f32 && (n.code == op::reduce_sum || n.code == op::contract);
  }
  constexpr bool is_inner(int i) const {
    return is_part(i) && w_.from[i].casting == cast_rule::within_low;
  }
  // Its float result, not rounded, from operands that are rounded unless they are such results. What
  // is made of it stays as it is under another autocast around this one.
  constexpr int part(int i) {
    bool floats = w_.from[i].code == op::reduce_sum;
    growing<int> operands;
    for (int k = 0; k < w_.from[i].operand_count; ++k) {
      bool const inner = is_inner(w_.from.operand(i, k));
      if (inner) floats = true;
      operands.push(inner || is_start(i, k) ? in(i, k) : back(in(i, k), low_));
    }
    for (int k = 0; k < w_.from[i].operand_count; ++k)
      if (floats || is_start(i, k)) operands[k] = back(operands[k], dtype::f32);
    int const id = add(i, dtype::f32, operands);
    w_.result.nodes[id].casting = cast_rule::recorded;
    return id;
  }
  // The widest type of the float operands, numbers aside; of the numbers if there is nothing else.
  constexpr dtype common_type(int i) const {
    bool found = false, only_numbers = true;
    dtype widest = low_;
    for (int k = 0; k < w_.from[i].operand_count; ++k) {
      int id = in(i, k);
      if (!is_float(type_of(id))) continue;
      bool number = is_number(id);
      if (number && !only_numbers) continue;
      bool first = !found || (only_numbers && !number);
      if (first || size_of(type_of(id)) > size_of(widest)) widest = type_of(id);
      found = true;
      only_numbers &= number;
    }
    return found ? widest : w_.from[i].type;
  }
  constexpr int in_type(int i, dtype type) {
    dtype result = w_.from[i].type;
    return with_operands_of(i, type, is_float(result) ? type : result);
  }
  constexpr int with_operands_of(int i, dtype type, dtype result) {
    growing<int> operands;
    for (int k = 0; k < w_.from[i].operand_count; ++k) operands.push(back(in(i, k), type));
    return add(i, result, operands);
  }
  constexpr int add(int i, dtype type, view<int> operands) {
    node n = w_.from[i];
    n.type = type;
    return w_.result.add(n, operands, w_.from.attributes_of(i));
  }

  constexpr bool is_number(int id) const {
    node const* n = &w_.result[id];
    while (is_view(n->code)) n = &w_.result[w_.result.operands[n->first_operand]];
    return n->code == op::constant && n->attribute_count == 1;
  }
  // A float in another float type; everything else as it is.
  constexpr int back(int id, dtype type) {
    return is_float(type_of(id)) && is_float(type) ? cast(id, type) : id;
  }
  // `id` in another type, made once per node.
  constexpr int cast(int id, dtype type) {
    if (type_of(id) == type) return id;
    while (twins_.size() <= id) twins_.push(-1);
    if (int t = twins_[id]; t >= 0 && type_of(t) == type) return t;
    bool const floats = is_float(type_of(id)) && is_float(type);
    int t = floats && is_number(id) ? number(id, type) : convert(id, type);
    return twins_[id] = t;
  }
  constexpr int convert(int id, dtype type) {
    node n = w_.result[id];
    n.code = op::convert;
    n.type = type;
    n.casting = cast_rule::by_policy;
    return w_.result.add(n, {&id, 1}, {});
  }
  // A number, or a view of one, a float in another float type: rounded now.
  constexpr int number(int id, dtype type) {
    node n = w_.result[id];
    dtype from = n.type;
    n.type = type;
    growing<extent> attributes(graph_view(w_.result).attributes_of(id));
    if (is_view(n.code)) {
      int operand = cast(graph_view(w_.result).operand(id, 0), type);
      return w_.result.add(n, {&operand, 1}, attributes);
    }
    attributes[0] = static_cast<extent>(
        converted_float(static_cast<word>(attributes[0]), from, type));
    return w_.result.add(n, {}, attributes);
  }

  rewriter& w_;
  dtype low_;
  growing<int> twins_; // of a new node: the same in another type, or -1
};

} // namespace detail

// The types stay, and no autocast around changes them.
constexpr graph without_autocast(graph_view g) {
  graph fixed = thaw(g);
  for (node& n : fixed.nodes) n.casting = cast_rule::recorded;
  return fixed;
}
// `low` is bf16 or f16, or f32: without_autocast.
constexpr graph autocast(graph_view g, dtype low) {
  if (low == dtype::f32) return without_autocast(g);
  detail::rewriter w(g);
  detail::caster types(w, low);
  for (int i = 0; i < g.size(); ++i) w.map[i] = types.rewritten(i);
  growing<int> outputs = types.declared_outputs(0);
  w.close(0, outputs);
  return std::move(w.result);
}

} // namespace weft::inline v0
