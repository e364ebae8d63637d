// SPDX-License-Identifier: BSL-1.0
// What a program of one rank exchanges with others in one run: bytes and messages that it sends, and how
// often it waits, one after the other: beside pass/work.hpp's flops_of what a step costs on a mesh.
//   exchanged const e = exchanges_of(partition(g, m, in, out).program);
// Needs: shapes that are numbers. Leaves: sums over bodies times their steps; a while_loop counts one
// step, of branches all count.
#pragma once

#include <weft/graph/collective_bytes.hpp>

namespace weft::inline v0 {

struct exchanged {
  extent bytes = 0, messages = 0;
  extent waits = 0; // rounds of messages

  constexpr void add(exchanged const& e, extent times) {
    bytes += e.bytes * times;
    messages += e.messages * times;
    waits += e.waits * times;
  }
};

constexpr exchanged exchanges_of(collective const& c, dtype type, extents const& operand) {
  if (c.kind == collective_kind::permute) return {count_of(operand) * size_of(type), 1, 1};
  if (c.group <= 1) return {};
  extent const bytes = count_of(operand) * size_of(type);
  bool const shared = c.kind == collective_kind::all_reduce || c.kind == collective_kind::broadcast;
  extent const rounds = shared && !detail::in_one_round(c, bytes) ? 2 : 1;
  return {bytes_sent(c.kind, c.group, count_of(operand), size_of(type)), rounds * (c.group - 1),
          rounds};
}
constexpr exchanged exchanges_of(graph_view g, int region = 0) {
  exchanged sum;
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    if (n.region != region) continue;
    if (n.code == op::collective)
      sum.add(exchanges_of(collective_of(g, id), n.type, g.shape(g.operand(id, 0))), 1);
    if (n.body >= 0)
      sum.add(exchanges_of(g, n.body), n.code == op::scan ? loop_of(g, id).length : 1);
  }
  return sum;
}

} // namespace weft::inline v0
