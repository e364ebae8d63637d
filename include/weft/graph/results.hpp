// SPDX-License-Identifier: BSL-1.0
// What a node gives: how many results, and the type and shape of each. Most nodes give one, and the
// node states it; threefry2x32 gives two of its own type and shape; loops give what their operands
// and bodies' outputs say, a custom_call what its attributes say (their own type and shape mean
// nothing). Several results are read with `get`.
// Needs: a node whose operands, attributes and body are sound (verify.hpp).
#pragma once

#include <weft/graph/custom_call.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {

constexpr bool has_several_results(op o) {
  return info_of(o).result == type_rule::words || has_result_list(o);
}
constexpr int result_count(graph_view g, int id) {
  if (is_loop(g[id].code)) return static_cast<int>(g.attribute(id, 0) + g.attribute(id, 2));
  if (g[id].code == op::custom_call) return static_cast<int>(g.attribute(id, 2));
  return has_several_results(g[id].code) ? 2 : 1;
}
// The node that reads result i of node id; -1: none does.
constexpr int get_of(graph_view g, int id, int i) {
  for (int r = id + 1; r < g.size(); ++r)
    if (g[r].code == op::get && g.operand(r, 0) == id && g.attribute(r, 0) == i) return r;
  return -1;
}
// Result i of node id, names unresolved.
constexpr result_info result_of(graph_view g, int id, int i) {
  if (g[id].code == op::custom_call) return custom_result(g.attributes_of(id), i);
  if (!is_loop(g[id].code)) return {g[id].type, g.shape(id)};
  loop const l = loop_of(g, id);
  if (i < l.carries) return {g[g.operand(id, i)].type, g.shape(g.operand(id, i))};
  int const y = g.outputs_of(g[id].body)[i];
  return {g[y].type, with_leading(l.length, g.shape(y))};
}

// The operand whose type is the op's: select's first is a mask, and starts of windows stand last.
constexpr int typical_operand(op o) { return info_of(o).result == type_rule::choose ? 1 : 0; }

// May an elementwise op take elements of type `in` and give `out`?
constexpr bool is_typed(op o, dtype in, dtype out) {
  op_info const& info = info_of(o);
  if (!accepts(info.accepts, in)) return false;
  switch (info.result) {
    case type_rule::same:
    case type_rule::choose: return out == in;
    case type_rule::compare: return out == dtype::boolean;
    case type_rule::words: return in == dtype::u32 && out == dtype::u32;
    case type_rule::chosen:
      return accepts(info.accepts, out) && (o != op::bitcast || size_of(in) == size_of(out));
    case type_rule::own: return false;
  }
  return false;
}

} // namespace weft::inline v0
