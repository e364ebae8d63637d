// SPDX-License-Identifier: BSL-1.0
// reverse_sweep: copies regions of a graph into a recorder and walks them backwards, asking each
// node's row (op/table.hpp) for its contributions; derivative_node is the `n` of those rows.
// What is kept: grad_saving.hpp. A forward loop that needs a gradient also returns that, stacked.
// Needs: a verified graph. Leaves: nothing is added to the graph for values that are not active;
// results that no gradient uses (also extra ys of loops) are left for dce.
#pragma once

#include <weft/graph/handle_collective.hpp>
#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/handle_extrema.hpp>
#include <weft/graph/results.hpp>
#include <weft/transform/grad_saving.hpp>

namespace weft::inline v0 {
namespace detail {

struct derivative_table;

class reverse_sweep {
public:
  graph_view const g;
  recorder& r;
  gradient_marks const marks;
  saving const kept;
  growing<int> value;         // by old id: its copy in the region that is being written
  growing<cotangent> ct;      // by old id
  growing<cotangent> results; // of loops: see gradient_marks::first_result
  growing<product_term>
      pending; // products of stacked constants: open loops take theirs off the end

  derivative_table const& rules;
  void (*const loop_rule)(reverse_sweep&, int); // what scan's derivative does: grad_loop.hpp

  constexpr reverse_sweep(graph_view from, recorder& to, view<int> wrt,
                          derivative_table const& all_rules, void (*rule)(reverse_sweep&, int))
      : g(from), r(to), marks(from, wrt), kept(from, marks), value(from.size(), -1),
        ct(from.size()), results(marks.result_count), rules(all_rules), loop_rule(rule),
        known_(from.regions.size()) {
    r.result.copy_tables(g);
    for (extents const& s : g.shapes) shapes_.push(r.result.intern(s));
  }

  // The copy of `id`, seen from the open region.
  constexpr handle in_scope(int id) {
    int& v = value[id];
    if (r.result.nodes[v].region != r.open_region()) v = r.local({&r, v});
    return {&r, v};
  }
  constexpr handle number_like(int id, double x) { return constant(r, x, g[id].type, g.shape(id)); }

  // Copies a region's nodes; its parameters have their values. Saved results are known beforehand
  // when a body is computed again.
  constexpr void copy_region(int region, bool again = false) {
    for (int id : marks.order[region])
      if (g[id].code != op::parameter && !(again && is_known(id))) copy(id);
  }
  // On the way back h is what was kept.
  constexpr void set_known(saving::item const& kept_item, handle h) {
    if (kept_item.part < 0) {
      value[kept_item.id] = h.id;
      return;
    }
    growing<handle>& parts = known_[g[kept_item.id].body];
    while (parts.size() <= kept_item.part) parts.push({});
    parts[kept_item.part] = h;
  }
  // Result k of the copy of a loop, kept or computed again, seen from the open region.
  constexpr handle loop_result(int id, int k) {
    growing<handle> const& parts = known_[g[id].body];
    if (k < parts.size() && parts[k].valid()) return r.localised(parts[k]);
    handle const whole = in_scope(id);
    result_info const info = result_of(r.result, whole.id, k);
    return get(whole, k, info.type, info.shape);
  }

  constexpr void reverse_region(int region) {
    view<int> const ids = marks.order[region];
    for (int i = ids.size() - 1; i >= 0; --i)
      if (marks.active[ids[i]]) reverse_node(ids[i]);
  }
  constexpr void reverse_node(int id);

  constexpr void add_product(product_term p) {
    if (!marks.active[p.target]) return;
    if (p.labels.order == contract_order::chain && marks.stacked[p.target]) {
      agree(p);
      pending.push(p);
    } else contribute(ct[p.target], p, g[p.target].type);
  }

private:
  // Where the user's derivative is taken, results are those of the forward function.
  constexpr bool is_custom(int id) const {
    return is_loop(g[id].code) && marks.active[id] && loop_of(g, id).custom > 0;
  }
  // Is it kept as it is, or a loop that nothing has to run again?
  constexpr bool is_known(int id) const {
    return is_loop(g[id].code) ? kept.whole(id) : kept.is_saved(id);
  }
  constexpr bool is_known_result(int id) const {
    if (g[id].code != op::get || g[g.operand(id, 0)].body < 0) return false;
    growing<handle> const& parts = known_[g[g.operand(id, 0)].body];
    int const k = static_cast<int>(g.attribute(id, 0));
    return k < parts.size() && parts[k].valid();
  }
  constexpr void copy(int id) {
    if (is_custom(id)) return;
    if (is_known_result(id)) {
      value[id] = loop_result(g.operand(id, 0), static_cast<int>(g.attribute(id, 0))).id;
      return;
    }
    if (is_loop(g[id].code)) return copy_loop(id);
    if (g[id].code == op::get && is_custom(g.operand(id, 0))) return copy_custom_result(id);
    node n = g[id];
    n.first_operand = r.result.operands.size();
    for (int x : g.operands_of(id)) r.result.operands.push(in_scope(x).id);
    n.shape = shapes_[n.shape];
    n.region = r.open_region();
    n.back = r.back;
    value[id] = r.result.add(n, g.attributes_of(id));
  }
  constexpr void copy_custom_result(int id) {
    int const from = g.operand(id, 0), k = static_cast<int>(g.attribute(id, 0));
    value[id] = in_scope(g.operand(from, k + loop_of(g, from).custom)).id;
  }
  constexpr void copy_loop(int id) {
    growing<handle> operands, outputs;
    for (int x : g.operands_of(id)) operands.push(in_scope(x));
    int const old_body = g[id].body, body = r.begin_body();
    for (int p : g.parameters_of(old_body)) value[p] = r.parameter(g[p].type, g.shape(p)).id;
    copy_region(old_body);
    for (int y : g.outputs_of(old_body)) outputs.push(in_scope(y));
    if (marks.active[id] && g[id].code != op::while_loop)
      for (saving::item const& s : kept.items_of(id))
        if (s.result == outputs.size())
          outputs.push(s.part < 0 ? in_scope(s.id) : loop_result(s.id, s.part));
    r.end_body(body, outputs);
    loop l = loop_of(g, id);
    l.ys = outputs.size() - l.carries;
    casting_as const rule(r, g[id].casting);
    value[id] = r.emit(g[id].code, g[id].type, g.shape(id), operands, encode(l), body).id;
    r.set_owner(body, value[id]);
  }

  growing<int> shapes_;            // old index -> new
  growing<growing<handle>> known_; // by body: results of its loop that were kept
};

// What a derivative rule sees of its node.
class derivative_node {
public:
  constexpr derivative_node(reverse_sweep& s, int id) : s_(s), id_(id) {}

  constexpr handle ct() {
    if (!ct_.valid()) ct_ = s_.ct[id_].total(s_.g[id_].type);
    return ct_;
  }
  constexpr handle out() { return s_.in_scope(id_); }
  constexpr handle in(int i) { return s_.in_scope(operand(i)); }
  constexpr int operand_count() const { return s_.g[id_].operand_count; }
  constexpr view<extent> attributes() const { return s_.g.attributes_of(id_); }
  constexpr extent attribute(int k) const { return s_.g.attribute(id_, k); }
  constexpr growing<handle> operands_from(int k) {
    growing<handle> some;
    for (int i = k; i < operand_count(); ++i) some.push(in(i));
    return some;
  }

  // x in the node's type and shape; in operand i's.
  constexpr handle number(double x) { return s_.number_like(id_, x); }
  constexpr handle number_like(int i, double x) { return s_.number_like(operand(i), x); }
  constexpr handle zeros_like(int i) { return number_like(i, 0); }

  // h is a contribution to operand i's cotangent.
  constexpr void add(int i, handle h) {
    int const x = operand(i);
    if (s_.marks.active[x]) s_.ct[x].add(h);
  }
  // The node is result i of its operand.
  constexpr void pass_to_result(extent i) {
    int const at = s_.marks.first_result[operand(0)] + static_cast<int>(i);
    s_.results[at].absorb(s_.ct[id_], s_.g[id_].type);
  }

  constexpr handle convert_like_operand(handle h) { return convert(h, s_.g[operand(0)].type); }
  // What a broadcast repeated is summed.
  constexpr handle sum_to_operand(handle h) {
    extents const& small = s_.g.shape(operand(0));
    extent repeated = (extent{1} << h.shape().rank) - 1;
    for (int i = 0; i < small.rank; ++i) {
      int const axis = static_cast<int>(attribute(i));
      if (small[i] == h.shape()[axis]) repeated &= ~(extent{1} << axis);
    }
    return reshape(reduce(op::reduce_sum, h, repeated), small);
  }
  constexpr handle spread_over_reduced(handle h) {
    return spread_over(h, s_.g.shape(operand(0)), attribute(0));
  }
  constexpr handle sum_over_reduced(handle h) { return reduce(op::reduce_sum, h, attribute(0)); }
  constexpr handle reduced_as_here(handle h) { return reduce(s_.g[id_].code, h, attribute(0)); }

  // contract: the two products; start and bias get the cotangent as it is.
  constexpr void add_products(handle h) {
    contraction const c = contraction_of(s_.g, id_);
    for (int i = 0; i < 2; ++i) {
      if (!s_.marks.active[operand(i)]) continue;
      product_term p{operand(i), i == 0 ? h : in(0), i == 0 ? in(1) : h, product_rule(c, i)};
      p.labels.order = product_order(p.labels, i, h.shape(), in(0).shape(), in(1).shape());
      s_.add_product(p);
    }
    for (int i = 2; i < operand_count(); ++i)
      if (s_.marks.active[operand(i)]) add(i, convert(h, s_.g[operand(i)].type));
  }
  // convolve: the same equation, solved for x and for w. Where the result is wider than the
  // operands, all are widened.
  constexpr void add_convolutions(handle h) {
    convolution const c = convolution_of(s_.g, id_);
    dtype const in_type = in(0).type(),
                type = h.type() == in_type ? in_type : accumulator_of(in_type);
    handle const ct = convert(h, type);
    for (int i = 0; i < 2; ++i) {
      if (!s_.marks.active[operand(i)]) continue;
      handle const other = convert(in(1 - i), type);
      extents const& shape = s_.g.shape(operand(i));
      handle const d = i == 0 ? convolve(ct, other, by_input(c), shape, type)
                              : convolve(other, ct, by_filter(c), shape, type);
      add(i, convert(d, in_type));
    }
    if (c.has_bias) add(2, convert(h, s_.g[operand(2)].type));
  }
  constexpr void reverse_loop() { s_.loop_rule(s_, id_); }
  // custom_call: what the function's own rule says.
  constexpr void reverse_custom_call() {
    int const count = result_count(s_.g, id_);
    cotangent* const own = &s_.results[s_.marks.first_result[id_]];
    bool any = false;
    for (int k = 0; k < count; ++k) any |= own[k].any();
    if (!any) return;
    host_function const& f = host_of(s_.g, id_);
    if (f.vjp == nullptr) return s_.r.result.fail(trace_error::host_reverse, id_);
    growing<handle> const operands = operands_from(0);
    growing<handle> results(count), given;
    for (int id = id_ + 1; id < s_.g.size(); ++id) // those that are kept already
      if (s_.g[id].code == op::get && s_.g.operand(id, 0) == id_)
        results[static_cast<int>(s_.g.attribute(id, 0))] = s_.in_scope(id);
    for (int k = 0; k < count; ++k) {
      result_info const info = result_of(s_.g, id_, k);
      if (!results[k].valid()) results[k] = get(out(), k, info.type, info.shape);
      given.push(own[k].any() ? own[k].total(info.type) : constant(s_.r, 0, info.type, info.shape));
    }
    growing<handle> const d = f.vjp(s_.r, {batch_axes_of(attributes()), operands, results, given});
    for (int i = 0; i < d.size(); ++i)
      if (d[i].valid()) add(i, d[i]);
  }
  // A while_loop that the value depends on: the steps to go back are not known.
  constexpr void refuse_while() {
    for (int i = 0; i < result_count(s_.g, id_); ++i)
      if (s_.results[s_.marks.first_result[id_] + i].any())
        s_.r.result.fail(trace_error::while_reversed, s_.value[id_]);
  }

private:
  constexpr int operand(int i) const { return s_.g.operand(id_, i); }

  reverse_sweep& s_;
  int id_;
  handle ct_;
};

struct derivative_table {
  void (*of[static_cast<unsigned>(op_count)])(derivative_node&){};

  template <op... O>
  constexpr derivative_table(op_list<O...>)
      : of{&row<O>::template derivative<derivative_node>...} {}
};

constexpr void reverse_sweep::reverse_node(int id) {
  if (!has_result_list(g[id].code) && !ct[id].any()) return;
  derivative_node n(*this, id);
  casting_as const rule(r, g[id].casting); // autocast treats a derivative as it treats its node
  rules.of[static_cast<int>(g[id].code)](n);
}

} // namespace detail
} // namespace weft::inline v0
