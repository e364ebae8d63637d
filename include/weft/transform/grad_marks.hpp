// SPDX-License-Identifier: BSL-1.0
// What a gradient must know before it records anything, from one ascending sweep (loops until
// their carries settle) and one count:
//   active   a float that depends on a parameter of interest: it needs a cotangent
//   varying  inside a body: it depends on the step (on a carry or an x)
//   sums, chains   how many contributions of either kind its cotangent will get (grad_contract.hpp)
//   stacked  a loop constant whose only chain contribution per step is one product of two values
//            that vary: that product leaves the loop (grad_loop.hpp)
// Needs: a verified graph. Leaves: sums and chains are exact outside nested loops, where they are
// upper bounds.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/op/table.hpp>
#include <weft/transform/grad_contract.hpp>

namespace weft::inline v0 {
namespace detail {

template <op... O> struct op_list {};
template <int... I> constexpr auto list_ops(std::integer_sequence<int, I...>) {
  return op_list<static_cast<op>(I)...>{};
}
using all_ops = decltype(list_ops(std::make_integer_sequence<int, op_count>{}));

// By overload: std::is_base_of would be instantiated for every op.
constexpr bool has_derivative(void const*) { return true; }
constexpr bool has_derivative(no_derivative const*) { return false; }
struct differentiable_table {
  bool of[static_cast<unsigned>(op_count)]{};

  template <op... O>
  constexpr differentiable_table(op_list<O...>)
      : of{has_derivative(static_cast<row<O>*>(nullptr))...} {}
};
inline constexpr differentiable_table differentiable{all_ops{}};

class gradient_marks {
public:
  growing<bool> active, varying, stacked;
  growing<int> sums, chains;
  growing<growing<int>> order; // nodes by region, ascending
  growing<int> first_result;   // of a loop or custom_call: where its results' cotangents stand
  int result_count = 0;

  constexpr gradient_marks(graph_view g, view<int> wrt)
      : active(g.size()), varying(g.size()), stacked(g.size()), sums(g.size()), chains(g.size()),
        order(g.regions.size()), first_result(g.size(), -1), g_(g), partner_(g.size(), -1) {
    for (int i : wrt) active[g.parameters_of(0)[i]] = true;
    for (int id = 0; id < g.size(); ++id) {
      order[g[id].region].push(id);
      settle(id);
      if (has_result_list(g[id].code)) add_results(id);
    }
    for (int id = 0; id < g.size(); ++id)
      if (active[id]) count(id);
  }

private:
  constexpr void settle(int id) {
    switch (g_[id].code) {
      case op::parameter: return settle_parameter(id);
      case op::while_loop:
      case op::cond:
      case op::scan: return settle_loop(id);
      case op::get: return settle_result(id);
      default: return settle_plain(id);
    }
  }
  constexpr void settle_plain(int id) {
    node const& n = g_[id];
    int const* x = g_.operands.first + n.first_operand;
    bool any = false, vary = false;
    for (int k = 0; k < n.operand_count; ++k) {
      any |= active[x[k]];
      vary |= varying[x[k]];
    }
    bool const floats = n.code == op::custom_call || is_float(n.type);
    active[id] = any && floats && differentiable.of[static_cast<int>(n.code)];
    varying[id] = vary;
  }
  constexpr void settle_parameter(int id) {
    int const owner = g_.regions[g_[id].region].owner;
    if (owner < 0) return;
    int const i = static_cast<int>(g_.attribute(id, 0));
    loop const l = loop_of(g_, owner);
    active[id] = active[id] || active[g_.operand(owner, i)];
    varying[id] = i < l.carries + l.xs;
  }
  constexpr void settle_result(int id) {
    int const of = g_.operand(id, 0);
    varying[id] = varying[of];
    if (is_loop(g_[of].code))
      active[id] = is_result_active(of, static_cast<int>(g_.attribute(id, 0)));
    else if (g_[of].code == op::custom_call) active[id] = active[of] && is_float(g_[id].type);
  }
  constexpr bool is_result_active(int id, int i) const {
    int const body = g_[id].body;
    if (i < g_.attribute(id, 0)) return active[g_.parameters_of(body)[i]];
    return active[g_.outputs_of(body)[i]];
  }
  // A carry is active if its start is, or what the body returns for it: until nothing changes.
  constexpr void settle_loop(int id) {
    int const body = g_[id].body;
    loop const l = loop_of(g_, id);
    if (l.custom > 0) return settle_custom(id, l);
    for (bool changed = true; changed;) {
      changed = false;
      for (int k = 0; k < l.carries; ++k) {
        int const inside = g_.parameters_of(body)[k];
        if (active[inside] || !active[g_.outputs_of(body)[k]]) continue;
        active[inside] = changed = true;
      }
      if (!changed) break;
      for (int i = order[body][0]; i < id; ++i) settle(i);
    }
    active[id] = varying[id] = false;
    for (int i = 0; i < l.carries + l.ys; ++i) active[id] = active[id] || is_result_active(id, i);
    for (int x : g_.operands_of(id)) varying[id] = varying[id] || varying[x];
  }
  // Its results depend on its arguments, whatever its body says.
  constexpr void settle_custom(int id, loop const& l) {
    view<int> const inside = g_.parameters_of(g_[id].body);
    bool any = false;
    for (int j = 2 * l.custom; j < l.carries; ++j) any |= active[g_.operand(id, j)];
    for (int k = 0; k < l.custom; ++k) active[inside[k]] = any && is_float(g_[inside[k]].type);
    for (int k = l.custom; k < 2 * l.custom; ++k) active[inside[k]] = active[inside[k]] && any;
    active[id] = any;
    varying[id] = false;
    for (int x : g_.operands_of(id)) varying[id] = varying[id] || varying[x];
  }
  constexpr void add_results(int id) {
    first_result[id] = result_count;
    result_count += weft::result_count(g_, id);
  }

  constexpr void count(int id) {
    node const& n = g_[id];
    if (n.code == op::contract) return count_products(id);
    if (is_loop(n.code)) return count_loop(id);
    if (n.code == op::get) return;
    int const* x = g_.operands.first + n.first_operand;
    for (int k = 0; k < n.operand_count; ++k) sums[x[k]] += active[x[k]];
  }
  constexpr void count_products(int id) {
    contraction const c = contraction_of(g_, id);
    int const* x = g_.operands.first + g_[id].first_operand;
    for (int i = 0; i < g_[id].operand_count; ++i) {
      if (!active[x[i]]) continue;
      contract_order const order_of_rule = i > 1
                                               ? contract_order::lanes
                                               : product_order(product_rule(c, i), i, g_.shape(id),
                                                               g_.shape(x[0]), g_.shape(x[1]));
      if (order_of_rule == contract_order::lanes) {
        ++sums[x[i]];
        continue;
      }
      ++chains[x[i]];
      partner_[x[i]] = id;
    }
  }
  // The body was counted before. A loop is more than one link for its enclosing body.
  constexpr void count_loop(int id) {
    loop const l = loop_of(g_, id);
    if (l.custom > 0) {
      for (int j = 2 * l.custom; j < l.carries; ++j) sums[g_.operand(id, j)] += 1;
      return;
    }
    for (int y : g_.outputs_of(g_[id].body)) // a constant that is returned as it is
      if (g_[y].code == op::parameter && g_.attribute(y, 0) >= l.carries + l.xs)
        sums[y] += active[y];
    for (int i = 0; i < g_[id].operand_count; ++i) {
      int const inside = g_.parameters_of(g_[id].body)[i], x = g_.operand(id, i);
      if (!active[inside]) continue;
      bool const is_x = i >= l.carries && i < l.carries + l.xs;
      bool const constant = i >= l.carries + l.xs;
      // The second chain of a constant that comes in twice starts at zero, and is added.
      bool const again = constant && chains[inside] > 0 && comes_before(id, l.carries + l.xs, i);
      if (!constant || sums[inside] > 0 || again) ++sums[x];
      if (!is_x && chains[inside] > 0) chains[x] += 2;
      if (constant && g_[id].code == op::scan && l.save != residuals::nothing)
        stacked[inside] = chains[inside] == 1 && can_stack(inside);
    }
  }
  constexpr bool comes_before(int id, int first, int i) const {
    for (int j = first; j < i; ++j)
      if (g_.operand(id, j) == g_.operand(id, i)) return true;
    return false;
  }
  constexpr bool can_stack(int constant) const {
    int const user = partner_[constant];
    int const i = g_.operand(user, 0) == constant ? 0 : 1;
    int const other = g_.operand(user, 1 - i);
    return varying[other] && g_.shape(user).rank < max_rank && g_.shape(other).rank < max_rank;
  }

  graph_view g_;
  growing<int> partner_; // the contraction that was counted last among a value's links
};

} // namespace detail
} // namespace weft::inline v0
