// SPDX-License-Identifier: BSL-1.0
// value_and_grad: reverse-mode differentiation, graph to graph.
//   g: inputs -> value (a float of rank 0), aux…
//   result: the same inputs -> value, aux…, one gradient per parameter of `wrt`, in that order
// Needs: a verified graph; `wrt` counts region 0's parameters, captured ones included, all float.
// Leaves: the value's cotangent starts as 1; a gradient has its parameter's type and shape, zeros
// where the value does not depend on it. Contributions arrive in the order stated in
// grad_contract.hpp, through loops as in grad_loop.hpp; dead results are left for dce. Steps of
// constant evaluation grow with the number of nodes.
#pragma once

#include <weft/transform/grad_loop.hpp>

namespace weft::inline v0 {

constexpr graph value_and_grad(graph_view g, view<int> wrt) {
  recorder r;
  detail::reverse_sweep s(g, r, wrt, &detail::reverse_loop);
  view<int> const parameters = g.parameters_of(0), results = g.outputs_of(0);
  for (int i = 0; i < parameters.size(); ++i) {
    int const p = parameters[i];
    s.value[p] = r.input(g[p].type, g.shape(p), g.inputs[i]).id;
  }
  s.copy_region(0);
  if (s.marks.active[results[0]]) s.ct[results[0]].add(s.number_like(results[0], 1));
  s.reverse_region(0);

  growing<handle> outputs;
  for (int id : results) outputs.push(s.in_scope(id));
  for (int i : wrt) {
    int const p = parameters[i];
    outputs.push(s.ct[p].any() ? s.ct[p].total(g[p].type) : s.number_like(p, 0));
  }
  r.finish(outputs);
  return std::move(r.result);
}

} // namespace weft::inline v0
