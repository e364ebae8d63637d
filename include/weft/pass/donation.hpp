// SPDX-License-Identifier: BSL-1.0
// donation: may output k be written over the memory of input i? Yes when nothing reads the input
// after the step that writes the output, and that step itself reads it only element on element.
// Needs: a bound graph with its schedule and memory plan. Leaves: a plain answer; who asks must
// have checked that shapes and types agree and that nobody else holds the memory.
#pragma once

#include <weft/pass/memory_plan.hpp>

namespace weft::inline v0 {

inline bool may_overwrite(graph_view g, accesses const& reads, schedule_view plan,
                          memory_plan const& memory, int input, int output) {
  int root = g.parameters_of(0)[input];
  view<output_plan> outputs = memory.outputs_of(g, 0);
  for (int k = 0; k < outputs.size(); ++k)
    if (k != output && reads.of[outputs[k].node].root == root) return false;
  int written = outputs[output].written;
  if (written < 0) // copied after the last step
    return reads.of[outputs[output].node].root != root || is_whole(g, reads, outputs[output].node);
  int writer = step_computing(g, plan, written);
  for (int s = memory.computed_at[writer]; s < plan.first_step[1]; ++s) {
    bool const product = plan.steps[s].kind == step_kind::contraction ||
                         plan.steps[s].kind == step_kind::convolution;
    if (memory.may_wait && product && s != writer && s == memory.computed_at[writer]) continue;
    if (step_reads(g, reads, plan, s, root) &&
        (s != writer || !reads_in_place(g, reads, plan, s, root)))
      return false;
  }
  return true;
}

} // namespace weft::inline v0
