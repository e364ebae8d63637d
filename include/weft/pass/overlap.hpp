// SPDX-License-Identifier: BSL-1.0
// finished_before: how long collectives may be under way. One is started by its step, where its
// operand is ready, and finished before the first step that reads its result, or at its region's end; what
// runs between overlaps with its messages. Collectives are finished in the order in which they were
// started, so that ranks that run steps in different places wait for each other in one order: that
// of a later one may come to finish an earlier one.
// Needs: a bound graph, its accesses and schedule. Leaves: per step the step before which it is
// finished, one past the region's last for its end; -1 for steps that exchange nothing.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {

// Of nothing no rank sends anything.
constexpr bool is_exchange(graph_view g, int id) {
  return g[id].code == op::collective && collective_of(g, id).world != 1 &&
         count_of(g.shape(id)) != 0;
}
// `runs_with`: per step, if any, the step in whose place it runs (memory_plan.hpp); -1: its own.
constexpr growing<int> finished_before(graph_view g, accesses const& reads, schedule_view plan,
                                       view<int> runs_with = {}) {
  growing<int> before(plan.steps.size(), -1);
  bool any = false;
  for (int r = 0; r < g.regions.size(); ++r)
    for (int s = plan.first_step[r]; s < plan.first_step[r + 1]; ++s)
      if (is_exchange(g, plan.steps[s].node)) {
        before[s] = plan.first_step[r + 1];
        any = true;
      }
  if (!any) return before;
  for (int s = 0; s < plan.steps.size(); ++s) {
    int const time = runs_with.empty() || runs_with[s] < 0 ? s : runs_with[s];
    for (int member : plan.members_of(plan.steps[s]))
      for (int operand : g.operands_of(member)) {
        int const root = reads.of[operand].root, by = plan.group_of[root];
        if (by >= 0 && g[root].code == op::collective && before[by] > time) before[by] = time;
      }
  }
  return before;
}

} // namespace weft::inline v0
