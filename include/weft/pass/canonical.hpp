// SPDX-License-Identifier: BSL-1.0
// canonical: the order of nodes as the program's structure gives it: depth first from the outputs,
// operands from left to right, a loop's constants in the order in which its body meets them.
// Why: C++ does not say whether f(x) or g(x) is recorded first in f(x) + g(x), and compilers
// differ; but cotangents add in the order of their consumers, so without this pass two compilers
// would round differently.
// Needs: a recorded graph. Leaves: the same inputs and outputs; nodes that no output needs are
// gone, unused constants of loops stay. Linear for each level of nesting.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {
namespace detail {

class orderer {
public:
  graph result;

  constexpr explicit orderer(graph_view g)
      : g_(g), map_(g.size(), -1), seen_(g.size(), 0), constants_(g.regions.size()) {
    result.nodes.reserve(g.size());
    result.shapes = growing<extents>(g.shapes);
    result.copy_tables(g);
    result.inputs = growing<input_info>(g.inputs);
    for (int id = 0; id < g.size(); ++id) // inner loops come first
      if (g[id].body >= 0) order_constants(id);
    ++visit_; // regions share no node: one visit emits them all
    emit_region(0, -1);
  }

private:
  // Region r under its new number, which comes back; loops that nobody needs leave no region.
  constexpr int emit_region(int r, int parent) {
    int const outside = open_, self = result.add_region(parent);
    open_ = self;
    growing<int> parameters = parameters_in_order(r);
    for (int k = 0; k < parameters.size(); ++k) {
      extent index[] = {k};
      node n = g_[parameters[k]];
      n.region = self;
      map_[parameters[k]] = result.add(n, {}, {index, 1});
    }
    for (int id : post_order(r)) emit(id);
    result.set_parameters(self, mapped(parameters));
    result.set_outputs(self, mapped(g_.outputs_of(r)));
    open_ = outside;
    return self;
  }

  struct place {
    int id, next; // node, and which of its operands comes next
  };

  // Every node that the outputs of region r need, each after its operands.
  constexpr growing<int> post_order(int r) {
    growing<int> order;
    growing<place> stack;
    for (int output : g_.outputs_of(r)) {
      enter(stack, output);
      while (!stack.empty()) {
        place& top = stack.back();
        if (top.next < g_[top.id].operand_count) {
          enter(stack, operand_in_order(top.id, top.next++));
        } else {
          order.push(top.id);
          stack.pop();
        }
      }
    }
    return order;
  }
  constexpr void enter(growing<place>& stack, int id) {
    if (seen_[id] == visit_) return;
    seen_[id] = visit_;
    stack.push({id, 0});
  }

  constexpr int first_constant(int owner) const {
    loop l = loop_of(g_, owner);
    return l.carries + l.xs;
  }
  // Which constants of a loop come first: positions among all its operands.
  constexpr void order_constants(int owner) {
    int body = g_[owner].body, first = first_constant(owner);
    growing<int>& order = constants_[body];
    ++visit_;
    growing<bool> taken(g_[owner].operand_count, false);
    for (int id : post_order(body)) {
      if (g_[id].code != op::parameter || g_.attribute(id, 0) < first) continue;
      int k = static_cast<int>(g_.attribute(id, 0));
      taken[k] = true;
      order.push(k);
    }
    for (int k = first; k < taken.size(); ++k)
      if (!taken[k]) order.push(k);
  }
  constexpr int operand_in_order(int id, int k) const {
    if (g_[id].body < 0) return g_.operand(id, k);
    int first = first_constant(id);
    return g_.operand(id, k < first ? k : constants_[g_[id].body][k - first]);
  }
  constexpr growing<int> parameters_in_order(int r) const {
    growing<int> ids(g_.parameters_of(r));
    if (r == 0) return ids;
    int first = first_constant(g_.regions[r].owner);
    for (int k = first; k < ids.size(); ++k) ids[k] = g_.parameters_of(r)[constants_[r][k - first]];
    return ids;
  }

  constexpr void emit(int id) {
    if (map_[id] >= 0) return; // a parameter
    node n = g_[id];
    growing<int> operands;
    operands.reserve(n.operand_count);
    for (int k = 0; k < n.operand_count; ++k) operands.push(map_[operand_in_order(id, k)]);
    n.region = open_;
    if (n.body >= 0) n.body = emit_region(n.body, open_);
    map_[id] = result.add(n, operands, g_.attributes_of(id));
    if (n.body >= 0) result.regions[n.body].owner = map_[id];
  }
  constexpr growing<int> mapped(view<int> ids) const {
    growing<int> r;
    r.reserve(ids.size());
    for (int id : ids) r.push(map_[id]);
    return r;
  }

  graph_view g_;
  growing<int> map_;
  growing<int> seen_; // the visit that met the node
  int visit_ = 0;
  int open_ = -1;                   // the new region under way
  growing<growing<int>> constants_; // per body
};

} // namespace detail

constexpr graph canonical(graph_view g) {
  detail::orderer o(g);
  return std::move(o.result);
}

} // namespace weft::inline v0
