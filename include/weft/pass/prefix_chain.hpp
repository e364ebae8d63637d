// SPDX-License-Identifier: BSL-1.0
// find_prefixes: which steps of a schedule are the levels of one prefix scan (lang/
// associative_scan.hpp) under add, mul, maximum or minimum, which a backend can run as one step, all
// levels on what is in its registers. A level is a group that stores
//   select(is i in an upper half, f(the lower half's last element, y), y)       halves of d elements
// for d = 1, 2, 4, ... from level to level, and what spreads those elements over their blocks: a
// reshape that is a copy, before it a concat where the last block has no upper half; one block needs
// neither. A chain ends where somebody else reads its value, or computes with it in the same group.
// It runs in the place of its first reshape; its steps are nothing else, their values but the last
// not stored.
//   prefix_code_at     the same, of one reshape and without accesses: which function may be asked for
// Needs: a bound graph, its accesses and schedule. Leaves: a chain's start is computed before its
// place; steps that levels of several chains share belong to all of them.
#pragma once

#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {

struct prefix_chain {
  op code{};
  int axis = 0;
  bool reverse = false;
  extent reach = 1;       // twice the last level's distance
  int from = -1, to = -1; // the values before the first and after the last level
  int place = -1;         // the step of the first reshape
};
struct prefix_chains {
  growing<prefix_chain> chains;
  growing<int> runs_with; // per step: the place of its chain, the first of several; -1: in none
  growing<bool> stored;   // per node: as in the schedule, less what only the chains read
};

// The combination that reads a reshape as the levels of a prefix scan do; stop_gradient: there is
// none.
constexpr op prefix_code_at(graph_view g, int reshape) {
  for (int id = reshape + 1; id < g.size(); ++id) {
    if (g[id].code != op::select) continue;
    int const f = g.operand(id, 1), y = g.operand(id, 2);
    if (g[f].operand_count != 2 || g.operand(f, 1) != y) continue;
    int const before = g.operand(f, 0);
    if (before == reshape || (g[before].code == op::slice && g.operand(before, 0) == reshape))
      return g[f].code;
  }
  return op::stop_gradient;
}

namespace detail {

class prefix_finder {
public:
  prefix_finder(graph_view g, accesses const& reads, schedule_view plan)
      : g_(g), reads_(reads), plan_(plan) {}

  // `can(step)`: has the backend a function for this reshape?
  template <class Can> prefix_chains find(Can const& can) {
    for (int s = 0; s < plan_.steps.size(); ++s)
      if (g_[plan_.steps[s].node].code == op::reshape && can(s)) begin(s);
    if (out_.chains.empty()) return std::move(out_);
    while (drop_one()) {
    }
    if (out_.chains.empty()) return {};
    out_.stored.assign(g_.size(), false);
    for (int id = 0; id < g_.size(); ++id) {
      int const s = plan_.group_of[id];
      bool const inside = s >= 0 && out_.runs_with[s] >= 0 && !is_result(id);
      out_.stored[id] = plan_.stored[id] && !inside;
    }
    return std::move(out_);
  }

private:
  struct level {
    int to = -1, combined = -1, before = -1, from = -1;
    int copy = -1, concat = -1; // the reshape and, before it, the concat; -1: there is none
    int axis = 0;
    bool reverse = false;
    extent by = 0;
  };

  // ---- one level
  level level_of(int to) const {
    level l{.to = to};
    if (g_[to].code != op::select) return {};
    l.combined = g_.operand(to, 1), l.from = g_.operand(to, 2);
    if (g_[l.combined].operand_count != 2 || g_.operand(l.combined, 1) != l.from) return {};
    if (plan_.group_of[to] < 0 || plan_.group_of[to] != plan_.group_of[l.combined]) return {};
    l.before = g_.operand(l.combined, 0);
    return chooses(l) && spreads(l) ? l : level{};
  }
  // ((c - i) & by) != 0, where c is n - 1 but for blocks of 2 by; forward (i & by) != 0
  bool chooses(level& l) const {
    int const mask = g_.operand(l.to, 0);
    if (g_[mask].code != op::not_equal || !is_number(g_.operand(mask, 1), 0)) return false;
    int const bit = g_.operand(mask, 0);
    if (g_[bit].code != op::bit_and || !number_at(g_.operand(bit, 1), l.by)) return false;
    int const place = g_.operand(bit, 0);
    l.reverse = g_[place].code == op::sub;
    l.axis = axis_of_index(l.reverse ? g_.operand(place, 1) : place);
    if (l.axis < 0 || l.by <= 0 || (l.by & (l.by - 1)) != 0 || l.by >= length_of(l)) return false;
    extent c = 0;
    return !l.reverse ||
           (number_at(g_.operand(place, 0), c) && (c - length_of(l) + 1) % (2 * l.by) == 0);
  }
  extent length_of(level const& l) const { return g_.shape(l.from)[l.axis]; }
  // Is what is combined with y the last element of the lower half of each block?
  bool spreads(level& l) const {
    extent const n = length_of(l), each = 2 * l.by, blocks = (n + each - 1) / each;
    extent const ends = (n + l.by) / each,
                 first = l.reverse ? n - l.by - each * (ends - 1) : l.by - 1;
    access const &y = reads_.of[l.from], &all = reads_.of[l.before];
    if (blocks == 1) return is_part(l.before, l, first, 0, false);
    l.copy = all.root;
    if (g_[l.copy].code != op::reshape || !reads_.copied[l.copy]) return false;
    extents shape = g_.shape(l.from);
    shape[l.axis] = blocks * each;
    if (g_.shape(l.copy) != shape) return false;
    extents const steps = row_major_strides(shape);
    if (all.offset != (l.reverse ? (blocks * each - n) * steps[l.axis] : 0)) return false;
    for (int axis = 0; axis < shape.rank; ++axis)
      if (shape[axis] != 1 && all.stride[axis] != steps[axis]) return false;
    int const spread = g_.operand(l.copy, 0);
    if (g_.shape(spread).rank != shape.rank + 1 || g_.shape(spread)[l.axis] != blocks ||
        reads_.of[spread].stride[l.axis + 1] != 0)
      return false;
    if (ends == blocks)
      return reads_.of[spread].root == y.root && is_part(spread, l, first, each, true);
    l.concat = reads_.of[spread].root;
    if (g_[l.concat].code != op::concat || g_[l.concat].operand_count != 2 ||
        g_.attribute(l.concat, 0) != l.axis)
      return false;
    shape[l.axis] = blocks;
    int const most = g_.operand(l.concat, l.reverse ? 1 : 0);
    int const rest = g_.operand(l.concat, l.reverse ? 0 : 1);
    return g_.shape(l.concat) == shape && has_steps(spread, row_major_strides(shape), l, true) &&
           reads_.of[spread].offset == 0 && g_.shape(most)[l.axis] == ends &&
           is_part(most, l, first, each, false) && reads_.of[rest].root == y.root;
  }
  // Elements first, first + step, ... of y along the axis; of_blocks: with an axis behind it.
  bool is_part(int part, level const& l, extent first, extent step, bool of_blocks) const {
    access const &a = reads_.of[part], &y = reads_.of[l.from];
    extents steps = strides_at(g_, reads_, l.from);
    if (a.root != y.root || a.offset != y.offset + first * steps[l.axis]) return false;
    steps[l.axis] *= step;
    return has_steps(part, steps, l, of_blocks);
  }
  bool has_steps(int part, extents const& steps, level const& l, bool of_blocks) const {
    for (int axis = 0; axis < steps.rank; ++axis) {
      int const here = of_blocks && axis > l.axis ? axis + 1 : axis;
      if (g_.shape(part)[here] != 1 && reads_.of[part].stride[here] != steps[axis]) return false;
    }
    return true;
  }
  // The axis that an index counts along; -1: it is none.
  int axis_of_index(int id) const {
    access const& a = reads_.of[id];
    if (g_[a.root].code != op::iota || g_[id].type != dtype::i32 || a.offset != 0) return -1;
    int found = -1;
    extents const& shape = g_.shape(id);
    for (int axis = 0; axis < shape.rank; ++axis) {
      if (shape[axis] == 1 || a.stride[axis] == 0) continue;
      if (a.stride[axis] != 1 || found >= 0) return -1;
      found = axis;
    }
    return found;
  }
  bool number_at(int id, extent& number) const {
    int const root = reads_.of[id].root;
    if (g_[root].code != op::constant || g_[root].attribute_count != 1 ||
        g_[root].type != dtype::i32)
      return false;
    number = g_.attribute(root, 0);
    return true;
  }
  bool is_number(int id, extent number) const {
    extent is = 0;
    return number_at(id, is) && is == number;
  }

  // ---- chains
  // Where the reshape of step s is in a first level.
  void begin(int s) {
    int const copy = plan_.steps[s].node;
    for (int id = copy + 1; id < g_.size(); ++id) {
      level const first = level_of(id);
      if (first.copy != copy) continue;
      if (first.by != 1 || !plan_.stored[first.to] || !lies_well(first)) return;
      if (g_[first.combined].code != prefix_code_at(g_, copy)) return;
      prefix_chain c{
          g_[first.combined].code, first.axis, first.reverse, 2, first.from, first.to, s};
      growing<int> steps;
      push_steps(first, steps);
      for (level next; next_level(c, next);) {
        c.to = next.to;
        c.reach *= 2;
        push_steps(next, steps);
      }
      for (int step : steps) {
        chain_used_.push(out_.chains.size());
        step_used_.push(step);
      }
      out_.chains.push(c);
      return;
    }
  }
  void push_steps(level const& l, growing<int>& steps) const {
    for (int id : {l.concat, l.copy, l.to})
      if (id >= 0) steps.push(plan_.group_of[id]);
  }
  // Behind the axis its elements lie side by side.
  bool lies_well(level const& l) const {
    access const& a = reads_.of[l.from];
    return g_[a.root].code != op::iota && g_[a.root].code != op::constant &&
           is_row_major(a, g_.shape(l.from), l.axis + 1);
  }
  // Nobody but the level reads what is before it.
  bool next_level(prefix_chain const& c, level& next) const {
    next = {};
    for (int id = c.to + 1; id < g_.size() && next.to < 0; ++id)
      if (level const l = level_of(id); l.to >= 0 && l.from == c.to) next = l;
    if (next.to < 0 || next.by != c.reach || next.axis != c.axis || next.reverse != c.reverse ||
        g_[next.combined].code != c.code || !plan_.stored[next.to])
      return false;
    for (int id = c.to + 1; id < g_.size(); ++id)
      if (plan_.group_of[id] >= 0 && id != next.to && id != next.combined && id != next.concat &&
          id != next.copy && reads(id, c.to))
        return false;
    return !is_output(c.to);
  }
  bool reads(int id, int root) const { return reads_root(g_, reads_, id, root); }
  bool is_output(int root) const { return is_output_root(g_, reads_, root); }

  // ---- steps that are nothing but levels
  bool is_result(int id) const {
    for (prefix_chain const& c : out_.chains)
      if (c.to == id) return true;
    return false;
  }
  bool is_start(int id) const {
    for (prefix_chain const& c : out_.chains)
      if (reads_.of[c.from].root == id) return true;
    return false;
  }
  // Takes a chain away that has a step with other work to do, and marks the steps of the others.
  bool drop_one() {
    out_.runs_with.assign(plan_.steps.size(), -1);
    for (int i = 0; i < step_used_.size(); ++i) {
      int& place = out_.runs_with[step_used_[i]];
      int const own = out_.chains[chain_used_[i]].place;
      if (place < 0 || own < place) place = own;
    }
    for (int i = 0; i < step_used_.size(); ++i)
      if (has_other_work(step_used_[i])) return drop(chain_used_[i]), true;
    return false;
  }
  bool has_other_work(int s) const {
    for (int member : plan_.members_of(plan_.steps[s]))
      if (plan_.stored[member] && !is_result(member) &&
          (is_start(member) || is_output(member) || is_read_elsewhere(member)))
        return true;
    return false;
  }
  bool is_read_elsewhere(int root) const {
    for (int id = root + 1; id < g_.size(); ++id)
      if (int const s = plan_.group_of[id]; s >= 0 && out_.runs_with[s] < 0 && reads(id, root))
        return true;
    return false;
  }
  void drop(int chain) {
    growing<int> uses, steps;
    for (int i = 0; i < step_used_.size(); ++i)
      if (chain_used_[i] != chain) {
        uses.push(chain_used_[i] - (chain_used_[i] > chain ? 1 : 0));
        steps.push(step_used_[i]);
      }
    chain_used_ = std::move(uses);
    step_used_ = std::move(steps);
    growing<prefix_chain> left;
    for (int c = 0; c < out_.chains.size(); ++c)
      if (c != chain) left.push(out_.chains[c]);
    out_.chains = std::move(left);
  }

  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  prefix_chains out_;
  growing<int> chain_used_, step_used_; // chain and step, one beside the other
};

} // namespace detail

template <class Can>
prefix_chains find_prefixes(graph_view g, accesses const& reads, schedule_view plan,
                            Can const& can) {
  return detail::prefix_finder(g, reads, plan).find(can);
}

} // namespace weft::inline v0
