// SPDX-License-Identifier: BSL-1.0
// with_checks: a graph that says where its first NaN (or infinity) is made: behind every argument
// and every float result that is computed, an `observe` node labelled with the node's number and
// op. Views and moves make no new numbers, and constants are the program's own.
// Needs: a verified graph. Leaves: the same values; what reads a value reads it checked, so the
// first check that fails stands where operands were sound.
#pragma once

#include <weft/graph/observe.hpp>
#include <weft/op/table.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr bool is_checked(graph_view g, int id) {
  node const& n = g[id];
  if (!is_float(n.type)) return false;
  if (n.code == op::parameter) return n.region == 0;
  if (n.code == op::get && g[g.operand(id, 0)].code == op::custom_call) return true;
  op_kind const kind = info_of(n.code).kind;
  if (n.code == op::overlap_add) return true; // a move that adds
  return kind == op_kind::elementwise || kind == op_kind::reduction || kind == op_kind::contraction;
}

} // namespace detail

constexpr graph with_checks(graph_view g, observation what) {
  detail::rewriter w(g);
  for (int id = 0; id < g.size(); ++id) {
    w.map[id] = w.copy(id);
    if (!detail::is_checked(g, id)) continue;
    node n = g[id];
    n.code = op::observe;
    message label;
    label.add("%").add(id).add(" ").add(name_of(g[id].code));
    w.map[id] = w.result.add(n, {&w.map[id], 1}, detail::encode(what, label.c_str()));
  }
  return w.finish();
}

} // namespace weft::inline v0
