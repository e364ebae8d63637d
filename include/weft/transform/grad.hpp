// SPDX-License-Identifier: BSL-1.0
// Reverse-mode differentiation, graph to graph.
//   value_and_grad  g: inputs -> value (a float of rank 0), aux...
//                   result: the same inputs -> value, aux..., one gradient per parameter of `wrt`
//   vjp             g: inputs -> outputs
//                   result: the same inputs, one cotangent per float output -> outputs, one
//                   gradient per parameter of `wrt`
// Needs: a verified graph; `wrt` counts region 0's parameters, captured ones included, all float.
// Leaves: the value's cotangent starts as 1, those of vjp's outputs as its inputs; a gradient has
// its parameter's type and shape, zeros where nothing depends on it. Contributions arrive in the
// order stated in grad_contract.hpp, through loops as in grad_loop.hpp; outputs are consumers in
// their own order, before all others. Dead results are left for dce. Steps of constant evaluation
// grow with the number of nodes.
#pragma once

#include <weft/transform/grad_loop.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr void copy_inputs(reverse_sweep& s) {
  view<int> const parameters = s.g.parameters_of(0);
  for (int i = 0; i < parameters.size(); ++i) {
    int const p = parameters[i];
    s.value[p] = s.r.input(s.g[p].type, s.g.shape(p), s.g.inputs[i]).id;
  }
}
constexpr void finish_gradients(reverse_sweep& s, view<int> wrt) {
  growing<handle> outputs;
  for (int id : s.g.outputs_of(0)) outputs.push(s.in_scope(id));
  for (int i : wrt) {
    int const p = s.g.parameters_of(0)[i];
    outputs.push(s.ct[p].any() ? s.ct[p].total(s.g[p].type) : s.number_like(p, 0));
  }
  s.r.finish(outputs);
}

} // namespace detail

template <class Rules = detail::derivative_table>
constexpr graph value_and_grad(graph_view g, view<int> wrt) {
  constexpr Rules rules{detail::all_ops{}};
  recorder r;
  detail::reverse_sweep s(g, r, wrt, rules, &detail::reverse_loop);
  detail::copy_inputs(s);
  s.copy_region(0);
  r.back = true;
  int const value = g.outputs_of(0)[0];
  if (s.marks.active[value]) s.ct[value].add(s.number_like(value, 1));
  s.reverse_region(0);
  detail::finish_gradients(s, wrt);
  return std::move(r.result);
}

template <class Rules = detail::derivative_table> constexpr graph vjp(graph_view g, view<int> wrt) {
  constexpr Rules rules{detail::all_ops{}};
  recorder r;
  detail::reverse_sweep s(g, r, wrt, rules, &detail::reverse_loop);
  detail::copy_inputs(s);
  int argument = 0, leaf = 0;
  for (input_info const& i : g.inputs) argument = i.argument < argument ? argument : i.argument + 1;
  growing<handle> cotangents;
  for (int y : g.outputs_of(0))
    if (is_float(g[y].type))
      cotangents.push(r.input(g[y].type, g.shape(y), {argument, leaf++, false}));
  s.copy_region(0);
  r.back = true;
  leaf = 0;
  for (int y : g.outputs_of(0)) {
    if (!is_float(g[y].type)) continue;
    if (s.marks.active[y]) s.ct[y].add(cotangents[leaf]);
    ++leaf;
  }
  s.reverse_region(0);
  detail::finish_gradients(s, wrt);
  return std::move(r.result);
}

} // namespace weft::inline v0
