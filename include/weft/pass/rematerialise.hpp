// SPDX-License-Identifier: BSL-1.0
// rematerialise: a sum, difference, product or the like that groups of several stages read is
// computed again in each later one (pass/schedule.hpp) instead of being stored for it, where it comes
// from memory that is there anyway: x - mean(x), for the variance and once more for the quotient.
//   graph r = rematerialise(g);
// Needs: a verified graph. Leaves: the same values; of a later stage's reads one array at most for
// the one that it no longer reads. Linear. Stands last: cse would merge the copies.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/pass/rewriter.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {
namespace detail {

class rematerialiser {
public:
  // `g` with numbers for names.
  constexpr explicit rematerialiser(graph_view g) : g_(g), reads_(accesses_of(g)) {
    fuser_.earliest();
    fuser_.find_awaited();
    fuser_.sink();
    find_stored();
  }
  // The stage in which node i computes its operand again; -1: it reads it, as a register or stored.
  constexpr int stage_of_copy(int i, int operand) const {
    bool const later = fuser_.joins(i, operand) && stage_of(i) > stage_of(operand);
    return later && !stored_[operand] && is_cheap(operand) && costs_one_read(operand) ? stage_of(i)
                                                                                      : -1;
  }
  // Is it a register of node i, that is computed again with it?
  constexpr bool is_copied_along(int i, int operand) const {
    return !is_in_memory(i, operand) && is_cheap(operand);
  }

private:
  constexpr int stage_of(int id) const { return fuser_.stage[id]; }
  constexpr bool is_cheap(int id) const {
    switch (g_[id].code) {
      case op::add:
      case op::sub:
      case op::mul:
      case op::neg:
      case op::abs:
      case op::convert: return true;
      default: return false;
    }
  }
  // Outside of its group, at whatever stage: outputs, and what is read as it lies in memory.
  constexpr void find_stored() {
    stored_.assign(g_.size(), false);
    for (int id = 0; id < g_.size(); ++id)
      for (int operand : g_.operands_of(id))
        if (!is_view(g_[id].code) && !fuser_.joins(id, operand))
          stored_[reads_.of[operand].root] = true;
    for (int r = 0; r < g_.regions.size(); ++r)
      for (int id : g_.outputs_of(r)) stored_[reads_.of[id].root] = true;
  }
  constexpr bool is_in_memory(int i, int operand) const {
    int const root = reads_.of[operand].root;
    return !fuser_.fusable(root) || operand != root || stage_of(operand) < stage_of(i);
  }
  // Its operands are in memory, or cheap and of such: no more than one array among them is as large
  // as the result.
  constexpr bool costs_one_read(int id) const {
    int read = -1;
    for (int operand : g_.operands_of(id)) {
      if (is_in_memory(id, operand)) {
        if (!is_one_more(operand, read)) return false;
        continue;
      }
      if (!is_cheap(operand)) return false;
      for (int inner : g_.operands_of(operand))
        if (!is_in_memory(operand, inner) || !is_one_more(inner, read)) return false;
    }
    return true;
  }
  // Is `read`, if it is one yet, the only large array with this operand?
  constexpr bool is_one_more(int operand, int& read) const {
    access const& a = reads_.of[operand];
    op const code = g_[a.root].code;
    if (code == op::constant || code == op::iota) return true;
    extents const& s = g_.shape(operand);
    for (int axis = 0; axis < s.rank; ++axis)
      if (a.stride[axis] == 0 && s[axis] != 1) return true;
    if (s.rank == 0 || read == operand) return true;
    if (read >= 0) return false;
    read = operand;
    return true;
  }

  graph_view g_;
  accesses reads_;
  fuser fuser_{g_, reads_};
  growing<bool> stored_{};
};

constexpr bool has_reduction(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (is_reduction(g[id].code)) return true;
  return false;
}
constexpr graph rematerialised(graph_view g, rematerialiser const& plan) {
  struct copy_of {
    int stage = -1, id = -1;
  };
  rewriter w(g);
  growing<copy_of> last(g.size(), copy_of{}); // of a node
  auto const again = [&](int id) {
    growing<int> const before = w.mapped(g.operands_of(id));
    for (int operand : g.operands_of(id))
      if (plan.is_copied_along(id, operand)) w.map[operand] = w.copy(operand);
    int const copy = w.copy(id);
    for (int k = 0; k < before.size(); ++k) w.map[g.operand(id, k)] = before[k];
    return copy;
  };
  for (int i = 0; i < g.size(); ++i) {
    growing<int> const before = w.mapped(g.operands_of(i));
    for (int operand : g.operands_of(i)) {
      int const stage = plan.stage_of_copy(i, operand);
      if (stage < 0) continue;
      copy_of& c = last[operand];
      if (c.stage != stage) {
        int const original = w.map[operand];
        c = {stage, again(operand)};
        w.map[operand] = original;
      }
    }
    for (int operand : g.operands_of(i))
      if (plan.stage_of_copy(i, operand) >= 0) w.map[operand] = last[operand].id;
    w.map[i] = w.copy(i);
    for (int k = 0; k < before.size(); ++k) w.map[g.operand(i, k)] = before[k];
  }
  return w.finish();
}

} // namespace detail

constexpr graph rematerialise(graph_view g) {
  if (!detail::has_reduction(g)) { // a copy
    detail::rewriter w(g);
    for (int i = 0; i < g.size(); ++i) w.map[i] = w.copy(i);
    return w.finish();
  }
  return with_numbers(g, [&](graph_view numbered) {
    return detail::rematerialised(g, detail::rematerialiser(numbered));
  });
}

} // namespace weft::inline v0
