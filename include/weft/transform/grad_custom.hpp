// SPDX-License-Identifier: BSL-1.0
// The gradient of a function of custom_vjp: its node's body (lang/custom_vjp.hpp), recorded over the
// cotangents of its results.
// Needs: grad_sweep.hpp. Leaves: contributions to the arguments alone; what the forward function
// captured gets none. Errors: a function whose rule partition has dropped (graph.error).
#pragma once

#include <weft/transform/grad_sweep.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr void reverse_custom(reverse_sweep& s, int id) {
  loop const l = loop_of(s.g, id);
  view<int> const inside = s.g.parameters_of(s.g[id].body);
  view<int> const outputs = s.g.outputs_of(s.g[id].body);
  cotangent* const results = &s.results[s.marks.first_result[id]];
  bool any = false;
  for (int k = 0; k < l.custom; ++k) any |= results[k].any();
  if (!any) return;
  if (l.lost_its_rule()) return s.r.result.fail(trace_error::partitioned_rule, id);
  for (int i = 0; i < inside.size(); ++i) {
    bool const given = i < l.custom && results[i].any();
    handle const h = given          ? results[i].total(s.g[inside[i]].type)
                     : i < l.custom ? s.number_like(inside[i], 0)
                                    : s.in_scope(s.g.operand(id, i));
    s.value[inside[i]] = h.id;
  }
  s.copy_region(s.g[id].body);
  for (int j = 2 * l.custom; j < l.carries; ++j)
    if (int const x = s.g.operand(id, j); s.marks.active[x]) s.ct[x].add(s.in_scope(outputs[j]));
}

} // namespace detail
} // namespace weft::inline v0
