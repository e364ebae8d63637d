// SPDX-License-Identifier: BSL-1.0
// forward_plan: how every value of a graph stands on the ranks of a mesh, from the inputs and `shard` nodes
// on: what a node's operands make of its result. Carries of loops stand alike at every step: as their
// start or as the body's result, whichever is split more; constants of a loop as its body needs them, once.
// Partial sums of products stay partial as long as they are only added up (a start of a chain, a carry
// that accumulates, stacked ys), so that they are combined once.
// Needs: a verified graph without collectives. Leaves: `at` by node; pass/partition_plan.hpp goes back.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/pass/partition_choice.hpp>

namespace weft::inline v0 {
namespace detail {

// Axis 0 put in front, or taken away with what splits it.
constexpr sharding with_leading_axis(sharding s) {
  sharding r;
  for (int m = 0; m < max_mesh_axes; ++m)
    if (s.uses(m)) r.word |= ((s.word >> (8 * m) & 255) + 1) << (8 * m);
  return r;
}
constexpr sharding without_leading_axis(sharding s) {
  sharding r;
  for (int m = 0; m < max_mesh_axes; ++m)
    if (s.place(m) > 0) r.word |= ((s.word >> (8 * m) & 255) - 1) << (8 * m);
  return r;
}

// An axis of a mesh is named differently by every mesh: what a `shard` node says of this one.
constexpr sharding sharding_of(graph_view g, int id, mesh_axes const& mesh) {
  return weft::sharding_of(g.attributes_of(id), mesh).of;
}

class forward_plan {
public:
  growing<standing> at;  // by node; of nodes with several results ask `get`'s
  growing<int> uses;     // by node, outputs among them
  growing<bool> settled; // parameters of bodies: carries, and constants that are gathered outside

  constexpr forward_plan(graph_view g, mesh_axes const& mesh, view<sharding> in)
      : at(g.size()), uses(g.size(), 0), settled(g.size(), false), g_(g), mesh_(mesh), in_(in),
        never_partial_(g.size(), false) {
    for (int id = 0; id < g.size(); ++id)
      for (int x : g.operands_of(id)) ++uses[x];
    for (int r = 0; r < g.regions.size(); ++r)
      for (int x : g.outputs_of(r)) ++uses[x];
    forwards(0, g.size());
  }

  // May the result be partial since an operand is, which nothing else uses?
  constexpr bool passes(int id, view<standing> stands) const {
    op const code = g_[id].code;
    if (g_[id].operand_count == 0) return false;
    int const x = g_.operand(id, 0);
    if (stands[x].partial == 0 || uses[x] != 1) return false;
    if (code == op::transpose || code == op::slice || code == op::reverse || code == op::reshape)
      return true;
    if (code != op::add || accumulator_of(g_[id].type) != g_[id].type) return false;
    int const y = g_.operand(id, 1);
    return y != x && uses[y] == 1 && stands[x] == stands[y] &&
           stands[x].how == collective_combine::add;
  }

private:
  // Result i of a loop.
  constexpr standing loop_result(int id, int i) const {
    loop const l = loop_of(g_, id);
    if (i < l.carries) return at[carried_by(id, l, i)];
    int const y = g_.outputs_of(g_[id].body)[i];
    standing s = at[y];
    s.split = with_leading_axis(s.split);
    if (uses[y] != 1 || has_condition(g_[id].code)) s.partial = 0;
    return s;
  }

  constexpr int carried_by(int id, loop const& l, int i) const {
    return l.custom > 0 ? g_.operand(id, i) : g_.parameters_of(g_[id].body)[i];
  }

  constexpr void forwards(int first, int end) {
    for (int id = first; id < end; ++id) {
      if (!settled[id]) at[id] = made(id);
      if (is_loop(g_[id].code)) settle(id);
    }
  }
  constexpr standing made(int id) const {
    op const code = g_[id].code;
    switch (code) {
      case op::parameter: return parameter(id);
      case op::constant:
      case op::iota:
      case op::rank:
      case op::custom_call:
      case op::while_loop:
      case op::cond:
      case op::scan: return {};
      case op::get: return projected(id);
      case op::shard: return {sharding_of(g_, id, mesh_)};
      case op::reshape: return reshaped_result(id);
      default: break;
    }
    if (passes(id, at)) {
      standing s = at[g_.operand(id, 0)];
      if (code != op::add) s.split = choose_labels({g_, id, at, mesh_}).result();
      return s;
    }
    return choose_labels({g_, id, at, mesh_}).stands();
  }
  constexpr standing projected(int id) const {
    int const x = g_.operand(id, 0);
    return is_loop(g_[x].code) ? loop_result(x, static_cast<int>(g_.attribute(id, 0))) : at[x];
  }
  constexpr standing reshaped_result(int id) const {
    int const x = g_.operand(id, 0);
    standing s = at[x];
    s.split = reshaped(g_.shape(x), g_.shape(id), s.split, mesh_).result;
    if (!passes(id, at)) s.partial = 0;
    return s;
  }
  constexpr standing parameter(int id) const {
    int const r = g_[id].region, k = static_cast<int>(g_.attribute(id, 0));
    if (r == 0) return {in_[k]};
    int const owner = g_.regions[r].owner;
    loop const l = loop_of(g_, owner);
    standing s = at[g_.operand(owner, k)];
    s.partial = 0;
    if (k >= l.carries && k < l.carries + l.xs) s.split = without_leading_axis(s.split);
    return s;
  }

  // Carries stand at every step as at the next, constants as the body needs them.
  constexpr void settle(int id) {
    loop const l = loop_of(g_, id);
    if (l.custom > 0) return; // its body is of a derivative that nobody takes any more
    int const body = g_[id].body;
    view<int> const parameters = g_.parameters_of(body);
    if (parameters.empty()) return;
    for (int turn = 0; turn < 8; ++turn) {
      bool changed = false;
      for (int k = 0; k < l.carries; ++k) changed |= settle_carry(id, k);
      if (!changed)
        for (int k = l.carries + l.xs; k < parameters.size(); ++k)
          changed |= settle_constant(parameters[k]);
      if (!changed) return;
      int first = id; // what depends on a parameter stands behind it
      for (int p : parameters) first = p < first ? p : first;
      forwards(first, id);
    }
  }
  constexpr bool settle_carry(int id, int k) {
    int const p = g_.parameters_of(g_[id].body)[k], o = g_.outputs_of(g_[id].body)[k];
    standing next{merged(at[p].split, at[o].split)};
    if (unsigned const sums = accumulated(id, p, o); sums != 0 && !never_partial_[p]) {
      if (at[p].partial == sums && at[o].partial != sums) never_partial_[p] = true;
      else next.partial = sums;
    }
    if (next == at[p] && settled[p]) return false;
    bool const same = next == at[p];
    at[p] = next;
    settled[p] = true;
    return !same;
  }
  // Is carry p only added to, by what is partial? The mesh axes along which it is.
  constexpr unsigned accumulated(int id, int p, int o) const {
    if (g_[id].code != op::scan || uses[p] != 1 || uses[o] != 1 || g_[o].operand_count < 2)
      return 0;
    if (accumulator_of(g_[o].type) != g_[o].type) return 0;
    if (g_[o].code == op::contract && contraction_of(g_, o).has_start && g_.operand(o, 2) == p)
      return at[o].partial;
    if (g_[o].code != op::add) return 0;
    for (int side = 0; side < 2; ++side) {
      int const q = g_.operand(o, 1 - side);
      if (g_.operand(o, side) == p && q != p && uses[q] == 1 &&
          at[q].how == collective_combine::add && at[q].split == at[p].split)
        return at[q].partial;
    }
    return 0;
  }
  // What uses inside want gathered is gathered once, outside: as all of them need it, or whole.
  constexpr bool settle_constant(int p) {
    if (settled[p] || at[p].split.whole()) return false;
    wanted_by_users all;
    ask_users(p, all);
    if (!all.any || bytes_between(at[p], all.needed, g_.shape(p), g_[p].type, mesh_) == 0)
      return false;
    at[p] = {all.needed};
    return settled[p] = true;
  }
  struct wanted_by_users {
    bool any = false;
    sharding needed{}; // whole where they differ

    constexpr void add(sharding s) {
      needed = any && !(s == needed) ? sharding{} : s;
      any = true;
    }
  };
  // How the users of x in its region need it; who spreads it, as what is spread is needed.
  constexpr void ask_users(int x, wanted_by_users& all) const {
    int const r = g_[x].region, end = g_.regions[r].owner < 0 ? g_.size() : g_.regions[r].owner;
    for (int u = x + 1; u < end; ++u) {
      if (g_[u].region != r) continue;
      for (int k = 0; k < g_[u].operand_count; ++k) {
        if (g_.operand(u, k) != x) continue;
        wanted_by_users of_spread;
        if (g_[u].code == op::broadcast) ask_users(u, of_spread);
        all.add(of_spread.any ? needed_to_spread(g_, u, of_spread.needed) : needed_by(u, k));
      }
    }
  }
  // Where operand k of u must stand.
  constexpr sharding needed_by(int u, int k) const {
    int const x = g_.operand(u, k);
    switch (g_[u].code) {
      case op::shard: return sharding_of(g_, u, mesh_);
      case op::get: return at[x].split;
      case op::reshape: return reshaped(g_.shape(x), g_.shape(u), at[x].split, mesh_).kept;
      case op::while_loop:
      case op::cond:
      case op::scan: {
        loop const l = loop_of(g_, u);
        if (l.custom > 0) return at[x].split;
        sharding const inside = at[g_.parameters_of(g_[u].body)[k]].split;
        return k >= l.carries && k < l.carries + l.xs ? with_leading_axis(inside) : inside;
      }
      default: return choose_labels({g_, u, at, mesh_}).needed(k);
    }
  }

  graph_view g_;
  mesh_axes const& mesh_;
  view<sharding> in_;
  growing<bool> never_partial_; // parameters of bodies
};

} // namespace detail
} // namespace weft::inline v0
