// SPDX-License-Identifier: BSL-1.0
// find_prefixes: which steps of a schedule are the levels of one prefix scan (lang/
// associative_scan.hpp) under add, mul, maximum or minimum, which a backend can run as one step, all
// levels on what is in its caches. A level is a concat of two slices of y and a group that stores
//   select(is there an element i - d, f(that, y), y)         for d = 1, 2, 4, ... from level to level
// A chain ends where somebody else reads its value, or computes with it in the same group. It runs in
// the place of its first concat; its steps are nothing else, their values but the last not stored.
//   prefix_code_at     the same, of one concat and without accesses: which function may be asked for
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
  int place = -1;         // the step of the first concat
};
struct prefix_chains {
  growing<prefix_chain> chains;
  growing<int> runs_with; // per step: the place of its chain, the first of several; -1: in none
  growing<bool> stored;   // per node: as in the schedule, less what only the chains read
};

// The combination that reads a concat as the levels of a prefix scan do; stop_gradient: there is none.
constexpr op prefix_code_at(graph_view g, int concat) {
  for (int id = concat + 1; id < g.size(); ++id) {
    if (g[id].code != op::select) continue;
    int const f = g.operand(id, 1), y = g.operand(id, 2);
    if (g[f].operand_count == 2 && g.operand(f, 0) == concat && g.operand(f, 1) == y)
      return g[f].code;
  }
  return op::stop_gradient;
}

namespace detail {

class prefix_finder {
public:
  prefix_finder(graph_view g, accesses const& reads, schedule_view plan)
      : g_(g), reads_(reads), plan_(plan) {}

  // `can(step)`: has the backend a function for this concat?
  template <class Can> prefix_chains find(Can const& can) {
    for (int s = 0; s < plan_.steps.size(); ++s)
      if (g_[plan_.steps[s].node].code == op::concat && can(s)) begin(s);
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
    int to = -1, combined = -1, concat = -1, from = -1;
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
    l.concat = g_.operand(l.combined, 0);
    if (g_[l.concat].code != op::concat || g_[l.concat].operand_count != 2) return {};
    if (plan_.group_of[to] < 0 || plan_.group_of[to] != plan_.group_of[l.combined]) return {};
    l.axis = static_cast<int>(g_.attribute(l.concat, 0));
    return moves(l) && chooses(l) ? l : level{};
  }
  // Are the concat's parts the slices of y that put each element `by` places on?
  bool moves(level& l) const {
    int const first = g_.operand(l.concat, 0), second = g_.operand(l.concat, 1);
    extent const n = g_.shape(l.from)[l.axis];
    extent const a = g_.shape(first)[l.axis], b = g_.shape(second)[l.axis];
    if (a + b != n) return false;
    if (is_slice(first, l, 0) && is_slice(second, l, 0)) l.by = a;
    else if (is_slice(first, l, b) && is_slice(second, l, n - b)) l.by = b, l.reverse = true;
    else return false;
    return (l.by & (l.by - 1)) == 0;
  }
  bool is_slice(int part, level const& l, extent first) const {
    access const &a = reads_.of[part], &y = reads_.of[l.from];
    bool same = a.root == y.root && a.offset == y.offset + first * y.stride[l.axis];
    extents const& shape = g_.shape(part);
    for (int axis = 0; axis < shape.rank; ++axis)
      same = same && (shape[axis] == 1 || a.stride[axis] == y.stride[axis]);
    return same;
  }
  // not (i < by); in reverse, i + by < n
  bool chooses(level const& l) const {
    int const mask = g_.operand(l.to, 0);
    if (!l.reverse) {
      if (g_[mask].code != op::bit_not) return false;
      int const less = g_.operand(mask, 0);
      return g_[less].code == op::less && is_index(g_.operand(less, 0), l.axis) &&
             is_number(g_.operand(less, 1), l.by);
    }
    if (g_[mask].code != op::less) return false;
    int const sum = g_.operand(mask, 0);
    return g_[sum].code == op::add && is_index(g_.operand(sum, 0), l.axis) &&
           is_number(g_.operand(sum, 1), l.by) &&
           is_number(g_.operand(mask, 1), g_.shape(l.from)[l.axis]);
  }
  bool is_index(int id, int along) const {
    access const& a = reads_.of[id];
    bool same = g_[a.root].code == op::iota && g_[id].type == dtype::i32 && a.offset == 0;
    extents const& shape = g_.shape(id);
    for (int axis = 0; axis < shape.rank; ++axis)
      same = same && (shape[axis] == 1 || a.stride[axis] == (axis == along ? 1 : 0));
    return same;
  }
  bool is_number(int id, extent number) const {
    int const root = reads_.of[id].root;
    return g_[root].code == op::constant && g_[root].attribute_count == 1 &&
           g_[root].type == dtype::i32 && g_.attribute(root, 0) == number;
  }

  // ---- chains
  // Where the concat of step s is in a first level.
  void begin(int s) {
    int const concat = plan_.steps[s].node;
    for (int id = concat + 1; id < g_.size(); ++id) {
      level const first = level_of(id);
      if (first.concat != concat) continue;
      if (first.by != 1 || !plan_.stored[first.to] || !lies_well(first)) return;
      if (g_[first.combined].code != prefix_code_at(g_, concat)) return;
      prefix_chain c{
          g_[first.combined].code, first.axis, first.reverse, 2, first.from, first.to, s};
      growing<int> steps;
      steps.push(s);
      steps.push(plan_.group_of[first.to]);
      for (level next; next_level(c, next);) {
        c.to = next.to;
        c.reach *= 2;
        steps.push(plan_.group_of[next.concat]);
        steps.push(plan_.group_of[next.to]);
      }
      for (int step : steps) {
        chain_used_.push(out_.chains.size());
        step_used_.push(step);
      }
      out_.chains.push(c);
      return;
    }
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
          reads(id, c.to))
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
