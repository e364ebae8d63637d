// SPDX-License-Identifier: BSL-1.0
// checkpoint, graph to graph: a function becomes a region, whose reverse derivative keeps its
// arguments and what `save` names, and computes the rest again on the way back. And what that costs:
//   checkpoint      g as one region; the same inputs and outputs
//   with_residuals  g in which every scan and region keeps `save`; g as one region if it has none
//   kept_bytes      what the way back reads of the way there, arguments and numbers aside
// Needs: a verified graph; kept_bytes: after all derivatives, extents without names. Leaves: a scan
// of one step over constants (graph/attributes.hpp), so every pass and executor knows it; without a
// derivative it is dissolved when recording ends (pass/dissolve.hpp).
#pragma once

#include <weft/pass/inline_graph.hpp>
#include <weft/transform/grad_checkpoint.hpp>

namespace weft::inline v0 {

constexpr graph checkpoint(graph_view g, residuals save) {
  recorder r;
  growing<handle> inputs, results;
  for (int k = 0; k < g.inputs.size(); ++k) {
    int const p = g.parameters_of(0)[k];
    inputs.push(r.input(g[p].type, g.shape(p), g.inputs[k]));
  }
  int const body = r.begin_body();
  growing<handle> const inside = inline_graph(r, g, inputs);
  handle const region = detail::close_region(r, body, inside, save, region_role::forward);
  for (int k = 0; k < inside.size(); ++k)
    results.push(detail::region_result(region, k, g.shape(g.outputs_of(0)[k])));
  r.finish(results);
  return std::move(r.result);
}

constexpr graph with_residuals(graph_view g, residuals save) {
  graph changed;
  bool any = false;
  for (int id = 0; id < g.size(); ++id) any |= g[id].code == op::scan && loop_of(g, id).custom == 0;
  if (!any) return checkpoint(g, save);
  changed = thaw(g);
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code != op::scan || loop_of(g, id).custom != 0) continue;
    loop l = loop_of(g, id);
    l.save = save;
    growing<extent> const attributes = encode(l);
    node& n = changed.nodes[id];
    n.first_attribute = changed.attributes.size();
    n.attribute_count = attributes.size();
    changed.attributes.append(attributes);
  }
  return changed;
}

namespace detail {

// The node whose values these are: under views, through results of loops.
constexpr int kept_root(graph_view g, int id) {
  while (info_of(g[id].code).kind == op_kind::view) id = g.operand(id, 0);
  return id;
}
constexpr bool is_of_the_way_there(graph_view g, int id) {
  if (g[id].code == op::get) return is_of_the_way_there(g, g.operand(id, 0));
  return info_of(g[id].code).kind != op_kind::source && !g[id].back;
}

} // namespace detail

constexpr extent kept_bytes(graph_view g) {
  growing<bool> read(g.size(), false);
  for (int id = 0; id < g.size(); ++id) {
    if (!g[id].back || info_of(g[id].code).kind == op_kind::view || g[id].code == op::get) continue;
    for (int x : g.operands_of(id)) read[detail::kept_root(g, x)] = true;
  }
  extent bytes = 0;
  for (int id = 0; id < g.size(); ++id)
    if (read[id] && detail::is_of_the_way_there(g, id))
      bytes += count_of(g.shape(id)) * size_of(g[id].type);
  return bytes;
}

} // namespace weft::inline v0
