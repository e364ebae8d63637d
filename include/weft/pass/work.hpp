// SPDX-License-Identifier: BSL-1.0
// The arithmetic of a graph: how many floating-point operations, or integer ones, a node does in one
// run. A multiply-add counts two, an elementary function one, like any other elementwise op; moving,
// converting and comparing bits is none.
// Needs: shapes that are numbers. Leaves: sums over bodies times their steps; a while_loop counts
// one step, since nobody knows.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr extent contract_flops(graph_view g, int id) {
  contraction const c = contraction_of(g, id);
  extents const& a = g.shape(g.operand(id, 0));
  extent terms = count_of(g.shape(id));
  for (int i = 0; i < c.rank_a; ++i)
    if (c.contracted(c.a[i])) terms *= a[i];
  return 2 * terms + (c.has_bias ? count_of(g.shape(id)) : 0);
}
// Terms beyond the ends of x are counted: they are computed.
constexpr extent convolve_flops(graph_view g, int id) {
  convolution const c = convolution_of(g, id);
  extents const& w = g.shape(g.operand(id, 1));
  extent terms = count_of(g.shape(id));
  for (int i = 0; i < c.rank_w; ++i)
    if (c.in_out(c.w[i]) < 0) terms *= w[i];
  return 2 * terms + (c.has_bias ? count_of(g.shape(id)) : 0);
}
constexpr bool computes(op code) {
  return is_elementwise(code) && code != op::convert && code != op::bitcast &&
         code != op::stop_gradient && code != op::select;
}

} // namespace detail

constexpr extent flops_of_region(graph_view g, int region);

constexpr extent flops_of(graph_view g, int id) {
  node const& n = g[id];
  if (n.code == op::contract) return detail::contract_flops(g, id);
  if (n.code == op::convolve) return detail::convolve_flops(g, id);
  if (info_of(n.code).kind == op_kind::reduction || n.code == op::overlap_add)
    return count_of(g.shape(g.operand(id, 0)));
  if (n.code == op::fma) return 2 * count_of(g.shape(id));
  if (detail::computes(n.code)) return count_of(g.shape(id));
  if (n.body < 0) return 0;
  extent const steps = n.code == op::scan ? loop_of(g, id).length : 1;
  return steps * flops_of_region(g, n.body);
}
constexpr extent flops_of_region(graph_view g, int region) {
  extent sum = 0;
  for (int id = 0; id < g.size(); ++id)
    if (g[id].region == region) sum += flops_of(g, id);
  return sum;
}
constexpr extent flops_of(graph_view g) { return flops_of_region(g, 0); }

} // namespace weft::inline v0
