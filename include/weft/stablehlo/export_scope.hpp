// SPDX-License-Identifier: BSL-1.0
// What the parts of an export share: the writer, the graph, the values of its nodes, and the list
// of own ops (own_ops.hpp) whose decompositions have to be written behind the functions that call
// them, each once.
// Leaves: decompositions named after their op, weft.gelu, weft.gelu_1, ..., in order of first use.
#pragma once

#include <weft/stablehlo/own_ops.hpp>

namespace weft::inline v0::stablehlo::detail {

using typed_shape = module_writer::typed_shape;

// One decomposition: all that it depends on.
struct own_call {
  op code{};
  growing<extent> attributes;
  growing<typed_shape> operands, results;
  int number = 0; // among those of this op

  constexpr bool is_same(own_call const& b) const {
    return code == b.code && view<extent>(attributes) == view<extent>(b.attributes) &&
           same(operands, b.operands) && same(results, b.results);
  }
  constexpr message symbol() const {
    message m(own_name(code).text);
    if (number > 0) m.add("_").add(number);
    return m;
  }

private:
  static constexpr bool same(view<typed_shape> a, view<typed_shape> b) {
    if (a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i)
      if (a[i].element != b[i].element || !(a[i].shape == b[i].shape)) return false;
    return true;
  }
};

constexpr bool is_empty(extents const& s) { return is_static(s) && count_of(s) == 0; }
// Nothing is computed for a node without elements: it is an empty constant.
constexpr bool is_empty_result(graph_view g, int id) {
  op const o = g[id].code;
  return o != op::parameter && o != op::get && !has_several_results(o) && is_empty(g.shape(id));
}
// Is no element of a pad's operand in its result?
constexpr bool is_cropped_away(graph_view g, int id) {
  extents const x = g.shape(g.operand(id, 0));
  for (int i = 0; i < x.rank; ++i) {
    extent const low = g.attribute(id, i), high = g.attribute(id, x.rank + i);
    extent const inner = x[i] + (x[i] > 0 ? (x[i] - 1) * g.attribute(id, 2 * x.rank + i) : 0);
    if (!is_named(x[i]) && !is_before_end(high) && low + inner + high < 0) return true;
  }
  return false;
}
// A result of a scan of no step: a carry as it was, or empty ys. The scan itself is not written.
constexpr bool reads_no_step(graph_view g, int id) {
  if (g[id].code != op::get) return false;
  int const from = g.operand(id, 0);
  return g[from].code == op::scan && loop_of(g, from).length == 0;
}
// Does a pad give its operand as it is?
constexpr bool pads_nothing(graph_view g, int id) {
  for (extent a : g.attributes_of(id))
    if (a != 0) return false;
  return true;
}
// Does what is written for node id mention its operand k?
constexpr bool is_read(graph_view g, int id, int k) {
  if (is_empty_result(g, id)) return false;
  switch (g[id].code) {
    case op::scan:
    case op::while_loop:
    case op::cond: return k < loop_of(g, id).carries; // the rest by the body's parameters
    case op::dynamic_slice: return k == 0 || g.shape(id).rank > 0;
    case op::dynamic_update_slice: return k == 1 || g.shape(id).rank > 0;
    case op::pad: return k == 0 ? !is_cropped_away(g, id) : !pads_nothing(g, id);
    case op::reduce_sum:
    case op::reduce_prod:
    case op::reduce_max:
    case op::reduce_min: return !is_empty(g.shape(g.operand(id, 0)));
    case op::scatter: return k == 0 || !is_empty(g.shape(g.operand(id, 1)));
    default: return true;
  }
}
// The element of a cond's x without elements: nothing is read for it.
constexpr bool is_empty_element(graph_view g, int parameter) {
  int const owner = g.regions[g[parameter].region].owner;
  if (g[owner].code != op::cond || !is_empty(g.shape(parameter))) return false;
  loop const l = loop_of(g, owner);
  extent const after = g.attribute(parameter, 0) - l.carries;
  return after >= 0 && after < l.xs;
}
// What an output needs: of a loop all carries, the xs and constants that its body needs. Bodies come
// before their owners, parameters behind what they stand for, so one sweep back sees it.
constexpr growing<bool> live_nodes(graph_view g) {
  growing<bool> live(g.size(), false);
  for (int id : g.outputs_of(0)) live[id] = true;
  for (int id = g.size() - 1; id >= 0; --id) {
    if (!live[id]) continue;
    region const& r = g.regions[g[id].region];
    if (g[id].code == op::parameter && r.owner >= 0 && !is_empty_element(g, id))
      live[g.operand(r.owner, static_cast<int>(g.attribute(id, 0)))] = true;
    if (reads_no_step(g, id)) {
      int const from = g.operand(id, 0), k = static_cast<int>(g.attribute(id, 0));
      if (k < loop_of(g, from).carries) live[g.operand(from, k)] = true;
      continue;
    }
    for (int k = 0; k < g[id].operand_count; ++k)
      if (is_read(g, id, k)) live[g.operand(id, k)] = true;
    if (g[id].body >= 0)
      for (int x : g.outputs_of(g[id].body)) live[x] = true;
  }
  return live;
}

struct export_scope {
  using function_type = void (*)(export_scope&, int region);

  module_writer& w;
  graph_view g;
  growing<own_call>& calls;
  growing<bool> live;          // does an output need the node?
  growing<growing<int>> nodes; // by region, those that are live
  growing<int> first;          // of every node of one result
  growing<growing<int>> many;  // of the others

  function_type run; // writes a region's nodes (export_nodes in export.hpp)

  constexpr export_scope(module_writer& into, graph_view graph, growing<own_call>& all,
                         function_type export_region)
      : w(into), g(graph), calls(all), live(live_nodes(graph)), nodes(nodes_by_region(graph)),
        first(graph.size(), -1), many(graph.size()), run(export_region) {
    for (growing<int>& region : nodes) {
      growing<int> needed;
      for (int id : region)
        if (live[id]) needed.push(id);
      region = needed;
    }
  }

  constexpr int operand(int id, int k) const { return first[g.operand(id, k)]; }
  constexpr growing<int> operands(int id) const {
    growing<int> r;
    for (int x : g.operands_of(id)) r.push(first[x]);
    return r;
  }
};

constexpr bool has_numbers(view<typed_shape> all) {
  for (typed_shape const& t : all)
    if (!is_static(t.shape)) return false;
  return true;
}
// The composite of an own op. Leaves: its first result. Of named extents it is a plain call: XLA does
// not carry the numbers of `?` into composites.
constexpr int call_own(export_scope& s, op what, view<extent> node_attributes, view<int> operands,
                       view<typed_shape> results) {
  own_call wanted;
  wanted.code = what;
  wanted.attributes = growing<extent>(node_attributes);
  for (int v : operands) wanted.operands.push({s.w.element(v), s.w.shape(v)});
  wanted.results = growing<typed_shape>(results);
  int at = 0;
  for (; at < s.calls.size() && !s.calls[at].is_same(wanted); ++at)
    wanted.number += s.calls[at].code == what;
  if (at == s.calls.size()) s.calls.push(wanted);
  bool const named = !has_numbers(wanted.operands) || !has_numbers(wanted.results);
  attribute const symbol = s.w.text(named ? "callee" : "decomposition", attribute_kind::symbol,
                                    s.calls[at].symbol().c_str());
  growing<attribute> all;
  all.push(s.w.string("name", own_name(what).text));
  growing<attribute> const fields = own_attributes(s.w, what, node_attributes);
  if (!fields.empty()) all.push(s.w.record("composite_attributes", fields));
  if (!named) all.push(symbol);
  all.push(s.w.integer("version", own_version, dtype::i32));
  if (named) {
    attribute const call[] = {symbol, s.w.record("weft.own", all)};
    return s.w.emit(code::func_call, operands, results, {call, 2});
  }
  return s.w.emit(code::composite, operands, results, all);
}
// The same for a node of one result.
constexpr int call_own(export_scope& s, int id) {
  typed_shape const result{s.g[id].type, s.g.shape(id)};
  return call_own(s, s.g[id].code, s.g.attributes_of(id), s.operands(id), {&result, 1});
}

} // namespace weft::inline v0::stablehlo::detail
