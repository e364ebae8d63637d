// SPDX-License-Identifier: BSL-1.0
// inline_graph: records a whole graph again in a recorder's open region, loops included; its inputs
// are replaced by `arguments`, its outputs come back as handles.
// Needs: a verified graph; one argument per input, of its type and shape (named extents are the
// recorder's names too). Leaves: the recorder as if the function had been recorded there.
// Transforms use it: their doors record a function aside, rewrite it, and put the result back.
#pragma once

#include <weft/graph/recorder.hpp>

namespace weft::inline v0 {
namespace detail {

class inliner {
public:
  constexpr inliner(recorder& r, graph_view g)
      : r_(r), g_(g), map_(g.size()), order_(nodes_by_region(g)),
        first_constant_(r.result.constants.size()) {
    r.result.constants.append(g.constants);
  }
  // Records region b over these values of its parameters.
  constexpr growing<handle> record(int b, view<handle> parameters) {
    for (int k = 0; k < parameters.size(); ++k) map_[g_.parameters_of(b)[k]] = parameters[k];
    for (int i : order_[b])
      if (g_[i].code != op::parameter) map_[i] = recorded(i);
    return mapped(g_.outputs_of(b));
  }

private:
  constexpr handle recorded(int i) {
    node const& n = g_[i];
    int body = n.body < 0 ? -1 : recorded_body(i);
    growing<extent> attributes(g_.attributes_of(i));
    if (n.code == op::constant && n.attribute_count == 2) attributes[0] += first_constant_;
    if (n.code == op::custom_call)
      attributes[0] = r_.taker().result.add_host(g_.hosts[static_cast<int>(attributes[0])]);
    casting_as const rule(r_, n.casting);
    r_.back = n.back;
    handle h = r_.emit(n.code, n.type, g_.shape(i), mapped(g_.operands_of(i)), attributes, body);
    if (body >= 0) r_.set_owner(body, h.id);
    return h;
  }
  // A body reads nothing but its parameters, so nothing is captured. The operands are made known
  // before it: what they capture must precede its parameters.
  constexpr int recorded_body(int i) {
    for (int id : g_.operands_of(i)) map_[id] = r_.localised(map_[id]);
    int body = r_.begin_body();
    growing<handle> parameters;
    for (int p : g_.parameters_of(g_[i].body))
      parameters.push(r_.parameter(g_[p].type, g_.shape(p)));
    growing<handle> outputs = record(g_[i].body, parameters);
    r_.end_body(body, outputs);
    return body;
  }
  constexpr growing<handle> mapped(view<int> ids) const {
    growing<handle> all;
    all.reserve(ids.size());
    for (int id : ids) all.push(map_[id]);
    return all;
  }

  recorder& r_;
  graph_view g_;
  growing<handle> map_;
  growing<growing<int>> order_; // nodes by region
  extent first_constant_;
};

} // namespace detail

constexpr growing<handle> inline_graph(recorder& r, graph_view g, view<handle> arguments) {
  bool const back = r.back;
  growing<handle> results = detail::inliner(r, g).record(0, arguments);
  r.back = back;
  return results;
}

} // namespace weft::inline v0
