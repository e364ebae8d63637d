// SPDX-License-Identifier: BSL-1.0
// host_call_step: a plan's step that is a custom_call: which nodes read its results, and what one item
// of the others takes.
//   growing<host_call_step> calls;   calls.push({g, step, node});
// Needs: a bound graph. Leaves: room for the addresses of a run, which then allocates nothing.
#pragma once

#include <weft/graph/host_items.hpp>

namespace weft::inline v0 {
namespace cpu {

struct host_call_step {
  int step = -1;
  growing<int> reader; // by result: the `get`, or -1
  extent unread_bytes = 0;
  growing<weft::detail::batched_operand> operands;
  growing<std::byte*> results;

  host_call_step() = default;
  host_call_step(graph_view g, int s, int id) : step(s) {
    reader.assign(result_count(g, id), -1);
    for (int r = id + 1; r < g.size(); ++r)
      if (g[r].code == op::get && g.operand(r, 0) == id)
        reader[static_cast<int>(g.attribute(r, 0))] = r;
    int const axes = batch_axes_of(g.attributes_of(id));
    for (int k = 0; k < reader.size(); ++k)
      if (reader[k] < 0)
        unread_bytes += aligned_bytes(weft::detail::item_bytes(result_of(g, id, k), axes));
    operands.resize(g[id].operand_count);
    results.resize(reader.size());
  }
};

} // namespace cpu
} // namespace weft::inline v0
