// SPDX-License-Identifier: BSL-1.0
// batch_marks: which values of a graph differ from example to example when some of its inputs do.
//   a node       if an operand does
//   a loop       a carry if its start or its next value does; a y if the body's output does; all of
//                them if the condition does, since examples then stop at different steps
//   custom_vjp   (a loop of no step) all carries if one operand does: cotangents are per example
// Everything else (iotas, constants, counters of random draws) is computed once for all examples.
// Needs: a verified graph. Leaves: the least set; linear, times the longest chain of carries.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

class batch_marks {
public:
  growing<bool> batched; // by node; of nodes with several results ask `get`'s

  // mapped: by parameter of region 0.
  constexpr batch_marks(graph_view g, view<bool> mapped)
      : batched(g.size(), false), g_(g), mapped_(mapped) {
    while (sweep()) {
    }
  }

  // Do examples differ in how long this loop runs, or whether?
  constexpr bool splits(int loop_id) const {
    return has_condition(g_[loop_id].code) && batched[g_.parameters_of(g_[loop_id].body)[0]];
  }
  // Does result i of a loop differ?
  constexpr bool result(int loop_id, int i) const {
    int const body = g_[loop_id].body;
    if (i < loop_of(g_, loop_id).carries) return batched[g_.parameters_of(body)[i]];
    return batched[g_.outputs_of(body)[i]] || splits(loop_id);
  }

private:
  // One pass over the nodes; true if it found more.
  constexpr bool sweep() {
    bool more = false;
    for (int id = 0; id < g_.size(); ++id) {
      if (batched[id] || !differs(id)) continue;
      batched[id] = more = true;
    }
    return more;
  }
  constexpr bool differs(int id) const {
    op const code = g_[id].code;
    if (code == op::parameter) return parameter_differs(id);
    if (code == op::get && is_loop(g_[g_.operand(id, 0)].code))
      return result(g_.operand(id, 0), static_cast<int>(g_.attribute(id, 0)));
    return any_operand_differs(id);
  }
  constexpr bool parameter_differs(int id) const {
    int const r = g_[id].region, k = static_cast<int>(g_.attribute(id, 0));
    if (r == 0) return mapped_[k];
    int const owner = g_.regions[r].owner;
    if (batched[g_.operand(owner, k)]) return true;
    loop const l = loop_of(g_, owner);
    if (k >= l.carries) return false;
    return l.custom > 0 ? any_operand_differs(owner)
                        : batched[g_.outputs_of(r)[k]] || splits(owner);
  }
  constexpr bool any_operand_differs(int id) const {
    for (int x : g_.operands_of(id))
      if (batched[x]) return true;
    return false;
  }

  graph_view g_;
  view<bool> mapped_;
};

} // namespace detail
} // namespace weft::inline v0
