// SPDX-License-Identifier: BSL-1.0
// scan_rewriter: a graph recorded again, some of its scans otherwise. A pass derives from it and says
// in `rewrite` what stands for a scan; everything else is copied, bodies of loops by the same rule.
// Needs: a verified graph in canonical order. Leaves: the same inputs and outputs.
#pragma once

#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

class scan_rewriter {
public:
  constexpr graph take() {
    r_.result.copy_tables(g_);
    growing<handle> inputs;
    for (int k = 0; k < g_.inputs.size(); ++k) {
      int const p = g_.parameters_of(0)[k];
      inputs.push(r_.input(g_[p].type, g_.shape(p), g_.inputs[k]));
    }
    r_.finish(region(0, inputs));
    return std::move(r_.result);
  }

protected:
  constexpr explicit scan_rewriter(graph_view g)
      : g_(g), map_(g.size()), order_(nodes_by_region(g)), results_(g.size()) {}
  constexpr ~scan_rewriter() = default;

  // Records what stands for scan i, and its results; false: the scan is copied.
  constexpr virtual bool rewrite(int i, growing<handle>& results) = 0;
  constexpr virtual growing<extent> attributes_of_copy(int i) const { return g_.attributes_of(i); }

  // Records region b over these values of its parameters; its outputs come back.
  constexpr growing<handle> region(int b, view<handle> parameters) {
    for (int k = 0; k < parameters.size(); ++k) map_[g_.parameters_of(b)[k]] = parameters[k];
    for (int i : order_[b])
      if (g_[i].code != op::parameter) put(i);
    return mapped(g_.outputs_of(b));
  }
  constexpr void put(int i) {
    r_.mark_as(g_[i]);
    if (g_[i].code == op::scan && rewrite(i, results_[i])) return;
    if (g_[i].code == op::get && !results_[g_.operand(i, 0)].empty())
      map_[i] = results_[g_.operand(i, 0)][static_cast<int>(g_.attribute(i, 0))];
    else map_[i] = copied(i);
  }
  constexpr growing<handle> mapped(view<int> ids) const {
    growing<handle> all;
    all.reserve(ids.size());
    for (int id : ids) all.push(map_[id]);
    return all;
  }

  graph_view g_;
  recorder r_;
  growing<handle> map_;
  growing<growing<int>> order_; // nodes by region

private:
  constexpr handle copied(int i) {
    node const& n = g_[i];
    int const body = n.body < 0 ? -1 : copied_body(i);
    r_.mark_as(n);
    handle const h = r_.emit(n.code, n.type, g_.shape(i), mapped(g_.operands_of(i)),
                             attributes_of_copy(i), body);
    if (body >= 0) r_.set_owner(body, h.id);
    return h;
  }
  constexpr int copied_body(int i) {
    for (int id : g_.operands_of(i)) map_[id] = r_.localised(map_[id]);
    int const body = r_.begin_body();
    growing<handle> parameters;
    for (int p : g_.parameters_of(g_[i].body))
      parameters.push(r_.parameter(g_[p].type, g_.shape(p)));
    r_.end_body(body, region(g_[i].body, parameters));
    return body;
  }

  growing<growing<handle>> results_; // of scans that were rewritten
};

} // namespace detail
} // namespace weft::inline v0
