// SPDX-License-Identifier: BSL-1.0
// Whole graphs as the regions of functions, and the private functions that composites name.
// Needs: what writes a region's nodes (export.hpp). Leaves: one function for each own_call; what it calls itself is
// put behind the list.
#pragma once

#include <weft/stablehlo/decompose_convolution.hpp>
#include <weft/stablehlo/export_elementwise.hpp>
#include <weft/stablehlo/export_order.hpp>
#include <weft/stablehlo/export_windows.hpp>

namespace weft::inline v0::stablehlo::detail {

// Operands before their users, from the outputs, left to right: the same order whatever order a
// compiler evaluates the arguments of a rule in.
constexpr void order_from(graph_view g, int id, growing<bool>& seen, growing<int>& order) {
  if (seen[id]) return;
  seen[id] = true;
  for (int x : g.operands_of(id)) order_from(g, x, seen, order);
  order.push(id);
}
constexpr growing<int> order_from_outputs(graph_view g) {
  growing<bool> seen(g.size(), false);
  growing<int> order;
  for (int id : g.outputs_of(0)) order_from(g, id, seen, order);
  return order;
}

// A function's region with region 0 of a graph in it; results in order.
constexpr growing<int> export_program(export_scope& s) {
  view<int> const parameters = s.g.parameters_of(0);
  for (int id : parameters) s.first[id] = s.w.argument(s.g[id].type, s.g.shape(id));
  for (int id : parameters) learn_extents(s.w, s.first[id]);
  s.run(s, 0);
  growing<int> results;
  for (int id : s.g.outputs_of(0)) results.push(s.first[id]);
  return results;
}

constexpr growing<int> own_results(module_writer& w, own_call const& c, view<int> x) {
  view<extent> const a = c.attributes;
  extents const to = c.results[0].shape;
  growing<int> one;
  switch (c.code) {
    case op::observe: one.push(x[0]); break;
    case op::bitcast: one.push(bitcast_body(w, x[0], c.results[0].element)); break;
    case op::div:
    case op::remainder: one.push(division_body(w, c.code, x[0], x[1])); break;
    case op::arg_sort: one.push(arg_sort_body(w, x, a)); break;
    case op::arg_reduce: one.push(arg_reduce_body(w, x[0], a, to)); break;
    case op::window: one.push(window_body(w, window_list(a), x[0])); break;
    case op::overlap_add: one.push(overlap_add_body(w, window_list(a), x[0], to)); break;
    case op::gather: one.push(gather_body(w, gather_of(a), x)); break;
    case op::scatter: one.push(scatter_body(w, gather_of(a), x)); break;
    case op::contract:
      one.push(contraction_body(w, contraction_of(a), x, c.results[0].element));
      break;
    default: one.push(convolution_body(w, convolution_of(a), x, c.results[0].element, to));
  }
  return one;
}
constexpr void write_decomposition(module_writer& w, growing<own_call>& calls, int at,
                                   export_scope::function_type export_region) {
  own_call const c = calls[at]; // a copy: more are found
  w.forget_extents_since(0);
  w.open_region();
  growing<int> results;
  if (is_elementwise(c.code) && !is_written_plain(c.code)) {
    graph const g = elementwise_graph(c);
    export_scope s(w, g, calls, export_region);
    s.nodes[0] = order_from_outputs(g);
    results = export_program(s);
  } else {
    growing<int> x;
    for (typed_shape const& t : c.operands) x.push(w.argument(t.element, t.shape));
    for (int v : x) learn_extents(w, v);
    results = own_results(w, c, x);
  }
  w.close_function(c.symbol().c_str(), false, results);
}

} // namespace weft::inline v0::stablehlo::detail
