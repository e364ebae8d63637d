// SPDX-License-Identifier: BSL-1.0
// forward_sweep: copies regions of a graph into a recorder and records, beside every active float,
// its tangent; tangent_node is the `n` of the rows' tangent rules (op/table.hpp).
//   elementwise ops   the sum over operands, in their order, of what the derivative rule gives
//                     operand i's cotangent when the result's is operand i's tangent: those rules
//                     are linear in it, element by element
//   the others        the row's own `tangent`; a row without one does not compile (op/table.hpp)
//   loops             one loop: carries, then their tangents; xs, then theirs; ys, then theirs.
//                     Constants and their tangents are captured. A carry has a tangent if its start
//                     does, or what the body returns for it
// Needs: a verified graph. Leaves: nothing is added for values that are not active; dead nodes are
// left for dce. A step of a loop records what the unrolled step would, so both have the same bits.
#pragma once

#include <weft/graph/handle_collective.hpp>
#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/handle_extrema.hpp>
#include <weft/graph/results.hpp>
#include <weft/transform/grad_marks.hpp>

namespace weft::inline v0 {
namespace detail {

struct tangent_table;

class forward_sweep {
public:
  graph_view const g;
  recorder& r;
  gradient_marks const marks;
  growing<int> value;      // by old id: its copy in the region that is being written
  growing<handle> tangent; // by old id; none yet, or zero, where invalid

  tangent_table const& rules;

  constexpr forward_sweep(graph_view from, recorder& to, view<int> wrt,
                          tangent_table const& all_rules)
      : g(from), r(to), marks(from, wrt), value(from.size(), -1), tangent(from.size()),
        rules(all_rules), result_(marks.result_count), tangent_result_(marks.result_count, -1),
        called_(marks.result_count) {
    r.result.copy_tables(g);
  }

  constexpr bool active(int id) const { return marks.active[id]; }
  // The copy of `id`, and its tangent, seen from the open region.
  constexpr handle in_scope(int id) {
    int& v = value[id];
    if (r.result.nodes[v].region != r.open_region()) v = r.local({&r, v});
    return {&r, v};
  }
  constexpr handle tangent_of(int id) {
    if (!tangent[id].valid()) return number_like(id, 0);
    return tangent[id] = in_scope_of(tangent[id]);
  }
  constexpr handle number_like(int id, double x) { return constant(r, x, g[id].type, g.shape(id)); }

  constexpr void visit_region(int region) {
    for (int id : marks.order[region])
      if (g[id].code != op::parameter) visit(id);
  }
  constexpr void visit(int id);
  constexpr void copy_loop(int id);
  // custom_call: what the function's own rule says, kept for its results.
  constexpr void call_tangents(int id) {
    host_function const& f = host_of(g, id);
    if (f.jvp == nullptr) return r.result.fail(trace_error::host_forward, id);
    growing<handle> operands, results, given;
    for (int x : g.operands_of(id)) operands.push(in_scope(x));
    for (int k = 0; k < result_count(g, id); ++k) {
      result_info const info = result_of(g, id, k);
      results.push(get(in_scope(id), k, info.type, info.shape));
    }
    for (int x : g.operands_of(id)) given.push(tangent_of(x));
    growing<handle> const all = f.jvp(
        r, {batch_axes_of(g.attributes_of(id)), operands, results, given});
    for (int k = 0; k < all.size(); ++k) called_[marks.first_result[id] + k] = all[k];
  }
  // The node is a result of a loop: where that is now, and its tangent.
  constexpr void follow_result(int id) {
    int const at = result_number(id);
    if (at < 0 || !active(id)) return;
    if (g[g.operand(id, 0)].code == op::custom_call) {
      if (called_[at].valid()) tangent[id] = called_[at];
      return;
    }
    handle const of = in_scope(g.operand(id, 0));
    tangent[id] = get(of, tangent_result_[at], g[id].type, g.shape(id));
  }

private:
  constexpr handle in_scope_of(handle h) {
    return r.result.nodes[h.id].region == r.open_region() ? h : r.localised(h);
  }
  // Among all results of loops and custom_calls; -1 for anything else.
  constexpr int result_number(int id) const {
    if (g[id].code != op::get || marks.first_result[g.operand(id, 0)] < 0) return -1;
    return marks.first_result[g.operand(id, 0)] + static_cast<int>(g.attribute(id, 0));
  }
  constexpr void copy(int id) {
    growing<handle> operands;
    for (int x : g.operands_of(id)) operands.push(in_scope(x));
    growing<extent> attributes(g.attributes_of(id));
    if (int const at = result_number(id); at >= 0 && is_loop(g[g.operand(id, 0)].code))
      attributes[0] = result_[at];
    value[id] = r.emit(g[id].code, g[id].type, g.shape(id), operands, attributes).id;
  }

  // Operands first … last - 1, then the tangents of those whose parameters have one: both lists in
  // `operands`, and as new parameters of the body. Comes back: how many tangents.
  constexpr int list_operands(int id, int first, int last, growing<handle>& operands) {
    view<int> const inside = g.parameters_of(g[id].body);
    int tangents = 0;
    for (int i = first; i < last; ++i) operands.push(in_scope(g.operand(id, i)));
    for (int i = first; i < last; ++i) {
      if (!active(inside[i])) continue;
      operands.push(tangent_of(g.operand(id, i)));
      ++tangents;
    }
    return tangents;
  }
  constexpr void make_parameters(int body, int first, int last) {
    view<int> const inside = g.parameters_of(body);
    for (int i = first; i < last; ++i) {
      int const p = inside[i];
      value[p] = r.parameter(g[p].type, g.shape(p)).id;
    }
    for (int i = first; i < last; ++i)
      if (int const p = inside[i]; active(p)) tangent[p] = r.parameter(g[p].type, g.shape(p));
  }
  // The same for outputs; `of` says which of them have tangents.
  constexpr int list_outputs(int id, int first, int last, view<int> of, growing<handle>& outputs) {
    view<int> const outs = g.outputs_of(g[id].body);
    int const at = marks.first_result[id];
    int tangents = 0;
    for (int i = first; i < last; ++i) {
      result_[at + i] = outputs.size();
      outputs.push(in_scope(outs[i]));
    }
    for (int i = first; i < last; ++i) {
      if (!active(of[i])) continue;
      tangent_result_[at + i] = outputs.size();
      outputs.push(tangent_of(outs[i]));
      ++tangents;
    }
    return tangents;
  }

  growing<int> result_, tangent_result_; // of loops, by old number: the new ones
  growing<handle> called_;               // of custom_calls, by the same number: tangents
};

constexpr void forward_sweep::copy_loop(int id) {
  loop l = loop_of(g, id);
  if (l.custom > 0 && active(id)) r.result.fail(trace_error::custom_forward, id);
  int const old_body = g[id].body, carries = l.carries, xs = l.xs, ys = l.ys;
  view<int> const inside = g.parameters_of(old_body);
  growing<handle> operands, outputs;
  l.carries += list_operands(id, 0, carries, operands);
  l.xs += list_operands(id, carries, carries + xs, operands);
  for (int i = carries + xs; i < inside.size(); ++i) { // before the body, like every operand
    int const x = g.operand(id, i);
    value[inside[i]] = in_scope(x).id;
    if (active(x)) tangent[inside[i]] = tangent_of(x);
  }
  int const body = r.begin_body();
  make_parameters(old_body, 0, carries);
  make_parameters(old_body, carries, carries + xs);
  visit_region(old_body);
  list_outputs(id, 0, carries, inside, outputs);
  l.ys += list_outputs(id, carries, carries + ys, g.outputs_of(old_body), outputs);
  operands.append(r.end_body(body, outputs));
  r.back = g[id].back;
  value[id] = r.emit(g[id].code, g[id].type, g.shape(id), operands, encode(l), body).id;
  r.set_owner(body, value[id]);
}

// What a tangent rule sees of its node: t(i) is operand i's tangent (zeros where it has none), and
// set(h) gives the result's. Derivative rules of elementwise ops are asked operand by operand.
class tangent_node {
public:
  constexpr tangent_node(forward_sweep& s, int id) : s_(s), id_(id) {}

  constexpr handle t(int i) { return s_.tangent_of(operand(i)); }
  constexpr void set(handle h) { s_.tangent[id_] = h; }
  constexpr handle out() { return s_.in_scope(id_); }
  constexpr handle in(int i) { return s_.in_scope(operand(i)); }
  constexpr int operand_count() const { return s_.g[id_].operand_count; }
  constexpr view<extent> attributes() const { return s_.g.attributes_of(id_); }
  constexpr extent attribute(int k) const { return s_.g.attribute(id_, k); }
  constexpr handle number(double x) { return s_.number_like(id_, x); }
  constexpr handle number_like(int i, double x) { return s_.number_like(operand(i), x); }
  constexpr handle zeros_like(int i) { return number_like(i, 0); }

  // The same op, linear in its first operands, of their tangents.
  constexpr void again(int linear_operands) {
    growing<handle> all;
    for (int i = 0; i < operand_count(); ++i) all.push(i < linear_operands ? t(i) : in(i));
    node const& n = s_.g[id_];
    set(s_.r.emit(n.code, n.type, s_.g.shape(id_), all, attributes()));
  }
  constexpr handle convert_like_result(handle h) { return convert(h, s_.g[id_].type); }
  constexpr handle sum_over_reduced(handle h) { return reduce(op::reduce_sum, h, attribute(0)); }
  constexpr handle spread_over_reduced(handle h) {
    return spread_over(h, s_.g.shape(operand(0)), attribute(0));
  }
  constexpr handle reduced_as_here(handle h) { return reduce(s_.g[id_].code, h, attribute(0)); }
  constexpr void follow_loop() { s_.copy_loop(id_); }
  constexpr void set_custom_call() { s_.call_tangents(id_); }
  constexpr void follow_result() { s_.follow_result(id_); }

  // contract: one product per active factor, the first operand's first. `chain`: one chain, from
  // the start value's tangent; `lanes`: each with its own, then added. The last takes the bias's.
  constexpr void set_products() {
    contraction const c = contraction_of(s_.g, id_);
    bool const chained = c.order == contract_order::chain;
    int const bias = c.has_start ? 3 : 2;
    dtype const type = s_.g[id_].type;
    handle start, sum;
    if (c.has_start && is_active(2)) start = t(2);
    for (int i = 0, left = is_active(0) + is_active(1); i < 2; ++i) {
      if (!is_active(i)) continue;
      contraction p = c;
      --left;
      p.has_start = start.valid();
      p.has_bias = left == 0 && c.has_bias && is_active(bias);
      dtype const to = chained && left > 0 ? accumulator_of(in(0).type()) : type;
      handle const h = contract(i == 0 ? t(0) : in(0), i == 0 ? in(1) : t(1), p, to, start,
                                p.has_bias ? t(bias) : handle{});
      if (chained) sum = start = h;
      else sum = sum.valid() ? sum + h : h;
    }
    set(sum.valid() ? sum : sum_of_addends(type));
  }

  // convolve: one per active factor; then the bias's tangent.
  constexpr void set_convolutions() {
    convolution c = convolution_of(s_.g, id_);
    node const& n = s_.g[id_];
    bool const biased = c.has_bias && is_active(2);
    handle sum;
    c.has_bias = false;
    for (int i = 0; i < 2; ++i) {
      if (!is_active(i)) continue;
      handle const h = convolve(i == 0 ? t(0) : in(0), i == 0 ? in(1) : t(1), c, s_.g.shape(id_),
                                n.type);
      sum = sum.valid() ? sum + h : h;
    }
    if (biased) sum = sum.valid() ? sum + convert(t(2), n.type) : convert(t(2), n.type);
    set(sum);
  }

  // Elementwise: op O's derivative rule, asked for one operand after the other.
  template <op O> constexpr void set_contributions() {
    for (asked_ = 0; asked_ < operand_count(); ++asked_)
      if (is_active(asked_)) row<O>::derivative(*this);
    if (sum_.valid()) set(sum_);
  }
  constexpr handle ct() { return t(asked_); }
  constexpr void add(int i, handle h) {
    if (i == asked_) sum_ = sum_.valid() ? sum_ + h : h;
  }

private:
  constexpr int operand(int i) const { return s_.g.operand(id_, i); }
  constexpr bool is_active(int i) const { return s_.active(operand(i)); }
  // Start and bias, where no factor has a tangent.
  constexpr handle sum_of_addends(dtype type) {
    handle sum;
    for (int i = 2; i < operand_count(); ++i)
      if (is_active(i)) sum = sum.valid() ? sum + convert(t(i), type) : convert(t(i), type);
    return sum;
  }

  forward_sweep& s_;
  int id_, asked_ = 0;
  handle sum_;
};

template <op O> constexpr void apply_tangent_rule(tangent_node& n) {
  if constexpr (requires { row<O>::tangent(n); }) row<O>::tangent(n);
  else if constexpr (!std::is_base_of_v<no_derivative, row<O>>) n.set_contributions<O>();
}
struct tangent_table {
  void (*of[static_cast<unsigned>(op_count)])(tangent_node&){};

  template <op... O> constexpr tangent_table(op_list<O...>) : of{&apply_tangent_rule<O>...} {}
};

constexpr void forward_sweep::visit(int id) {
  bool const is_whole_loop = is_loop(g[id].code);
  casting_as const rule(r, g[id].casting); // of its tangent, too
  r.back = g[id].back;
  if (!is_whole_loop) copy(id);
  if (!is_whole_loop && !active(id)) return;
  tangent_node n(*this, id);
  rules.of[static_cast<int>(g[id].code)](n);
}

} // namespace detail
} // namespace weft::inline v0
