// SPDX-License-Identifier: BSL-1.0
// vmap: a function of one example becomes a function of many, graph to graph.
//   g: inputs -> outputs
//   result: the inputs, the mapped ones with the examples' axis first -> all outputs with that axis
// Example e of every output is, bit for bit, what g gives for example e of the mapped inputs and the
// others as they are: orders of products and reductions, random numbers and clamped windows are one
// example's. What no example changes is computed once.
// Needs: a verified graph; `mapped` has a flag per parameter of region 0, captured ones included;
// `examples` is a number or a name. Leaves: error mapped_nine_axes, and zeros for outputs, where an
// array of 8 axes would need another.
#pragma once

#include <weft/transform/vmap_loop.hpp>

namespace weft::inline v0 {
namespace detail {

// Is there room for the examples' axis in every value that gets it?
constexpr bool arrays_have_room(batch_sweep const& s) {
  graph_view const g = s.g;
  for (int id = 0; id < g.size(); ++id) {
    if (s.marks.batched[id] && g.shape(id).rank == max_rank) return false;
    if (s.marks.batched[id] && g[id].code == op::custom_call) {
      for (int x : g.operands_of(id)) // all of them: the function is called for each example
        if (g.shape(x).rank == max_rank) return false;
      for (int k = 0; k < result_count(g, id); ++k)
        if (result_of(g, id, k).shape.rank == max_rank) return false;
    }
    if (!is_loop(g[id].code)) continue;
    loop const l = loop_of(g, id);
    for (int y = l.carries; y < l.carries + l.ys; ++y)
      if (s.marks.result(id, y) && g.shape(g.outputs_of(g[id].body)[y]).rank + 1 == max_rank)
        return false;
  }
  for (int id : g.outputs_of(0))
    if (g.shape(id).rank == max_rank) return false;
  return true;
}

} // namespace detail

template <class Node = detail::batched_node>
constexpr graph vmap(graph_view g, view<bool> mapped, extent examples) {
  recorder r;
  detail::batch_sweep s(g, r, examples, mapped, detail::batching_rules<Node>);
  auto shape_of_all = [&s](extents const& one) {
    return one.rank < max_rank ? s.all_of(one) : one;
  };
  view<int> const parameters = g.parameters_of(0);
  for (int i = 0; i < parameters.size(); ++i) {
    int const p = parameters[i];
    extents const shape = mapped[i] ? shape_of_all(g.shape(p)) : g.shape(p);
    s.value[p] = r.input(g[p].type, shape, g.inputs[i]);
  }
  bool const room = detail::arrays_have_room(s);
  if (room) s.copy_region(0);
  else r.result.fail(trace_error::mapped_nine_axes, -1);
  growing<handle> outputs;
  for (int id : g.outputs_of(0))
    outputs.push(room ? s.spread(id) : constant_bits(r, 0, g[id].type, shape_of_all(g.shape(id))));
  r.finish(outputs);
  return std::move(r.result);
}

} // namespace weft::inline v0
