// SPDX-License-Identifier: BSL-1.0
// Forward-mode differentiation, graph to graph.
//   g: inputs -> outputs
//   result: the same inputs, one tangent per parameter of `wrt` -> outputs, one tangent per float
//   output, in the order of outputs
// Needs: a verified graph; `wrt` counts region 0's parameters, all float (one that stands there
// twice gets the sum of both tangents). Leaves: zeros where an output does not depend on `wrt`;
// loops of any kind as one loop with more carries, xs and ys (jvp_sweep.hpp).
#pragma once

#include <weft/transform/jvp_sweep.hpp>

namespace weft::inline v0 {

template <class Rules = detail::tangent_table> constexpr graph jvp(graph_view g, view<int> wrt) {
  constexpr Rules rules{detail::all_ops{}};
  recorder r;
  detail::forward_sweep s(g, r, wrt, rules);
  view<int> const parameters = g.parameters_of(0);
  int argument = 0, leaf = 0;
  for (int i = 0; i < parameters.size(); ++i) {
    int const p = parameters[i];
    s.value[p] = r.input(g[p].type, g.shape(p), g.inputs[i]).id;
    if (g.inputs[i].argument >= argument) argument = g.inputs[i].argument + 1;
  }
  for (int i : wrt) {
    int const p = parameters[i];
    handle const t = r.input(g[p].type, g.shape(p), {argument, leaf++, false});
    s.tangent[p] = s.tangent[p].valid() ? s.tangent[p] + t : t;
  }
  s.visit_region(0);
  growing<handle> outputs;
  for (int y : g.outputs_of(0)) outputs.push(s.in_scope(y));
  for (int y : g.outputs_of(0))
    if (is_float(g[y].type)) outputs.push(s.tangent_of(y));
  r.finish(outputs);
  return std::move(r.result);
}

} // namespace weft::inline v0
