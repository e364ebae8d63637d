// SPDX-License-Identifier: BSL-1.0
// make_schedule: which nodes run together, and in which order. Device-independent.
// A *group* is elementwise nodes and reductions of one region, one stage and one iteration shape;
// its loop computes them all, and its reductions share one axis set. Contractions, loops, moves and
// reshapes that need a copy are steps of their own. Views, constants and iotas belong to no step:
// consumers read through them (access.hpp).
//   stage(elementwise) = max over operands: their stage if read directly, one more through a view;
//   stage(anything else) = one more than what it reads. Afterwards elementwise nodes sink to the
//   stage of their first direct consumer, so nothing is stored early that can be fused late.
// Collectives are the first steps of their stage, and elementwise results that only the region's
// outputs read sink to its last stage where collectives lead to them: what is between overlaps with
// the messages (pass/overlap.hpp).
// Needs: a bound graph, its accesses. Leaves: steps ordered by (region, stage); every step reads
// only what earlier steps of its region stored. Linear in the nodes.
#pragma once

#include <weft/pass/access.hpp>

namespace weft::inline v0 {

enum class step_kind : std::uint8_t { group, contraction, convolution, loop, move };

struct schedule_step {
  step_kind kind{};
  int region = 0;
  int stage = 0;
  int node = -1;      // the node, or the first member of a group
  int shape = 0;      // groups: iteration shape
  extent reduced = 0; // groups: axis set of their reductions
  int first_member = 0, member_count = 0;
};

struct schedule_view {
  view<schedule_step> steps;
  view<int> members;    // nodes of groups, ascending
  view<int> group_of;   // per node: its step, or -1
  view<bool> stored;    // per node: lives in memory
  view<int> first_step; // per region, and one past the last

  constexpr view<int> members_of(schedule_step const& s) const {
    return members.part(s.first_member, s.member_count);
  }
  constexpr view<schedule_step> steps_of(int region) const {
    return steps.part(first_step[region], first_step[region + 1] - first_step[region]);
  }
};

struct schedule {
  growing<schedule_step> steps;
  growing<int> members;
  growing<int> group_of;
  growing<bool> stored;
  growing<int> first_step;

  constexpr operator schedule_view() const {
    return {steps, members, group_of, stored, first_step};
  }
};

// Two results of one elementwise op: `get` of it is a register, not a read.
constexpr bool is_second_word(graph_view g, int id) {
  return g[id].code == op::get && is_elementwise(g[g.operand(id, 0)].code);
}
constexpr bool is_reduction(op o) { return info_of(o).kind == op_kind::reduction; }
// The step that computes a root, which of a loop's or custom_call's result is that; -1: none does.
constexpr int step_computing(graph_view g, schedule_view plan, int root) {
  bool const of_loop = g[root].code == op::get && !is_second_word(g, root);
  return plan.group_of[of_loop ? g.operand(root, 0) : root];
}

namespace detail {

// A group compiles as one function; more nodes than this cost compile time and win nothing.
inline constexpr int group_limit = 100;

struct fuser {
  graph_view g;
  accesses const& reads;
  growing<int> stage{}, latest{}, group_of{};
  growing<int> last_stage{}; // per region
  growing<bool> awaited{};   // per node: elementwise, of what a collective brings
  growing<schedule_step> groups{};
  growing<int> table{}; // open addressing: groups by (region, stage, shape)
  static constexpr int unlimited = 1 << 30;
  int most_buffers = unlimited; // that a group reads and writes
  growing<int> buffers{};       // by group, where that is limited
  growing<int> read_by{};       // by node: the last group that reads it from memory
  growing<bool> written{};      // by node: does its group store it, as far as is known?

  constexpr bool fusable(int id) const {
    return is_elementwise(g[id].code) || is_second_word(g, id);
  }
  constexpr bool in_group(int id) const { return fusable(id) || is_reduction(g[id].code); }
  constexpr bool is_step(int id) const {
    op_kind k = info_of(g[id].code).kind;
    return k == op_kind::contraction || k == op_kind::loop || k == op_kind::move ||
           reads.copied[id];
  }
  constexpr int iteration_shape(int id) const {
    return is_reduction(g[id].code) ? g[g.operand(id, 0)].shape : g[id].shape;
  }
  constexpr int producer(int id) const { // whose stage decides when root `id` can be read
    return g[id].code == op::get ? g.operand(id, 0) : id;
  }
  constexpr bool available_always(int id) const {
    op c = g[id].code;
    return c == op::parameter || c == op::constant || c == op::iota;
  }
  // A direct read joins the producer's loop; anything else needs it to be finished.
  constexpr bool joins(int consumer, int operand) const {
    return in_group(consumer) && fusable(operand);
  }

  constexpr void earliest() {
    stage.assign(g.size(), 0);
    for (int id = 0; id < g.size(); ++id) {
      if (is_second_word(g, id)) {
        stage[id] = stage[g.operand(id, 0)];
        continue;
      }
      if (!in_group(id) && !is_step(id)) continue;
      int s = 0;
      for (int operand : g.operands_of(id)) {
        int root = reads.of[operand].root;
        if (available_always(root)) continue;
        int ready = joins(id, operand) ? stage[operand] : stage[producer(root)] + 1;
        if (ready > s) s = ready;
      }
      stage[id] = s;
    }
  }
  constexpr void find_awaited() {
    last_stage.assign(g.regions.size(), 0);
    awaited.assign(g.size(), false);
    for (int id = 0; id < g.size(); ++id) {
      if (int& last = last_stage[g[id].region]; stage[id] > last) last = stage[id];
      if (!fusable(id)) continue;
      for (int operand : g.operands_of(id)) {
        int const root = reads.of[operand].root;
        if (awaited[root] || g[root].code == op::collective) awaited[id] = true;
      }
    }
  }
  constexpr void limit(int id, int at) {
    if (at < latest[id]) latest[id] = at;
  }
  constexpr void sink() {
    latest.assign(g.size(), unlimited);
    for (int id = g.size() - 1; id >= 0; --id) {
      if (is_second_word(g, id)) {
        limit(g.operand(id, 0), latest[id]);
        continue;
      }
      if (is_elementwise(g[id].code) && latest[id] != unlimited && latest[id] > stage[id])
        stage[id] = latest[id];
      if (is_elementwise(g[id].code) && latest[id] == unlimited && awaited[id])
        stage[id] = last_stage[g[id].region];
      if (!in_group(id) && !is_step(id)) continue;
      for (int operand : g.operands_of(id)) {
        int root = reads.of[operand].root;
        if (fusable(root)) limit(root, joins(id, operand) ? stage[id] : stage[id] - 1);
      }
    }
    for (int id = 0; id < g.size(); ++id)
      if (is_second_word(g, id)) stage[id] = stage[g.operand(id, 0)];
  }

  // Values that another stage or a step reads are stored; those that another group of the stage reads
  // are found as groups are made.
  constexpr void find_written() {
    read_by.assign(g.size(), -1);
    written.assign(g.size(), false);
    for (int id = 0; id < g.size(); ++id) {
      if (!in_group(id) && !is_step(id)) continue;
      written[id] = is_reduction(g[id].code);
      for (int operand : g.operands_of(id))
        if (!joins(id, operand) || stage[operand] != stage[id])
          written[reads.of[operand].root] = true;
    }
    for (int r = 0; r < g.regions.size(); ++r)
      for (int id : g.outputs_of(r)) written[reads.of[id].root] = true;
  }
  constexpr bool is_read_from_memory(int id, int operand, int by) const {
    return !available_in_text(operand) && !(joins(id, operand) && group_of[operand] == by);
  }
  constexpr bool available_in_text(int id) const {
    op const c = g[reads.of[id].root].code;
    return c == op::constant || c == op::iota;
  }
  constexpr int buffers_of(int id, int group) const {
    int count = written[id] ? 1 : 0;
    for (int operand : g.operands_of(id))
      if (is_read_from_memory(id, operand, group) && read_by[operand] != group) ++count;
    return count;
  }
  constexpr bool has_room(int id, int group) const {
    return most_buffers == unlimited || buffers[group] + buffers_of(id, group) <= most_buffers;
  }
  constexpr void count_buffers(int id) {
    int const group = group_of[id];
    while (buffers.size() <= group) buffers.push(0);
    buffers[group] += buffers_of(id, group);
    for (int operand : g.operands_of(id)) {
      if (!is_read_from_memory(id, operand, group)) continue;
      read_by[operand] = group;
      if (joins(id, operand) && !written[operand]) {
        written[operand] = true;
        ++buffers[group_of[operand]];
      }
    }
  }

  // The open group for a node, made when there is none, it is full, or its axis set differs.
  constexpr int find_group(int id) {
    extent axes = is_reduction(g[id].code) ? g.attribute(id, 0) : 0;
    int producers = 0; // groups of one stage run in order of creation: never join an earlier one
    for (int operand : g.operands_of(id))
      if (joins(id, operand) && stage[operand] == stage[id] && group_of[operand] > producers)
        producers = group_of[operand];
    std::uint32_t h = mix(
        mix(static_cast<std::uint32_t>(g[id].region), static_cast<std::uint64_t>(stage[id])),
        static_cast<std::uint64_t>(iteration_shape(id)));
    int mask = table.size() - 1;
    for (int at = static_cast<int>(h) & mask;; at = (at + 1) & mask) {
      if (table[at] < 0) {
        groups.push({step_kind::group, g[id].region, stage[id], id, iteration_shape(id), axes});
        return table[at] = groups.size() - 1;
      }
      schedule_step& s = groups[table[at]];
      if (s.region != g[id].region || s.stage != stage[id] || s.shape != iteration_shape(id))
        continue;
      if (table[at] < producers || s.member_count >= group_limit) continue;
      if (!has_room(id, table[at])) continue;
      if (axes != 0 && s.reduced != 0 && s.reduced != axes) continue;
      if (axes != 0 && s.reduced == 0) s.reduced = axes;
      return table[at];
    }
  }
  constexpr void group() {
    int slots = 16;
    while (slots < 2 * g.size()) slots *= 2;
    table.assign(slots, -1);
    group_of.assign(g.size(), -1);
    for (int id = 0; id < g.size(); ++id) {
      if (is_second_word(g, id)) group_of[id] = group_of[g.operand(id, 0)];
      else if (in_group(id)) group_of[id] = find_group(id);
      else if (is_step(id)) {
        groups.push({kind_of(id), g[id].region, stage[id], id, g[id].shape});
        group_of[id] = groups.size() - 1;
      } else continue;
      ++groups[group_of[id]].member_count;
      if (most_buffers != unlimited) count_buffers(id);
    }
  }
  constexpr step_kind kind_of(int id) const {
    switch (info_of(g[id].code).kind) {
      case op_kind::contraction:
        return g[id].code == op::contract ? step_kind::contraction : step_kind::convolution;
      case op_kind::loop: return step_kind::loop;
      default: return step_kind::move;
    }
  }

  // Counting sort of the steps by (region, stage, collectives first), stable.
  constexpr void order(schedule& out) {
    int stages = 1;
    for (schedule_step const& s : groups)
      if (s.stage >= stages) stages = s.stage + 1;
    auto const place_of = [&](schedule_step const& s) {
      return 2 * (s.region * stages + s.stage) + (g[s.node].code == op::collective ? 0 : 1);
    };
    growing<int> start(2 * g.regions.size() * stages + 1, 0);
    for (schedule_step const& s : groups) ++start[place_of(s) + 1];
    for (int i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    for (int r = 0; r <= g.regions.size(); ++r) out.first_step.push(start[2 * r * stages]);
    growing<int> place(groups.size(), 0);
    out.steps.resize(groups.size());
    for (int i = 0; i < groups.size(); ++i) {
      place[i] = start[place_of(groups[i])]++;
      out.steps[place[i]] = groups[i];
    }
    out.group_of.assign(g.size(), -1);
    for (int id = 0; id < g.size(); ++id)
      if (group_of[id] >= 0) out.group_of[id] = place[group_of[id]];
  }
  constexpr void collect_members(schedule& out) {
    int next = 0;
    for (schedule_step& s : out.steps) {
      s.first_member = next;
      next += s.member_count;
      s.member_count = 0;
    }
    out.members.assign(next, -1);
    for (int id = 0; id < g.size(); ++id) {
      if (out.group_of[id] < 0) continue;
      schedule_step& s = out.steps[out.group_of[id]];
      out.members[s.first_member + s.member_count++] = id;
    }
  }
  // Stored: results of steps and reductions, and fused values that someone outside the loop reads.
  constexpr void mark_stored(schedule& out) {
    out.stored.assign(g.size(), false);
    for (int id = 0; id < g.size(); ++id) {
      op c = g[id].code;
      if (is_reduction(c) || (is_step(id) && !has_result_list(c))) out.stored[id] = true;
      if (c == op::get && !is_second_word(g, id)) out.stored[id] = true;
      if (out.group_of[id] < 0) continue;
      for (int operand : g.operands_of(id)) {
        int root = reads.of[operand].root;
        bool register_read = joins(id, operand) && out.group_of[operand] == out.group_of[id];
        if (fusable(root) && !register_read) out.stored[root] = true;
      }
    }
    for (int r = 0; r < g.regions.size(); ++r)
      for (int id : g.outputs_of(r))
        if (fusable(reads.of[id].root)) out.stored[reads.of[id].root] = true;
  }
};

} // namespace detail

// `most_buffers`: that a group may read and write, where a backend has a limit; a node of more has a
// group of its own.
constexpr schedule make_schedule(graph_view g, accesses const& reads,
                                 int most_buffers = detail::fuser::unlimited) {
  detail::fuser f{g, reads};
  f.most_buffers = most_buffers;
  f.earliest();
  f.find_awaited();
  f.sink();
  if (most_buffers != detail::fuser::unlimited) f.find_written();
  f.group();
  schedule out;
  f.order(out);
  f.collect_members(out);
  f.mark_stored(out);
  return out;
}

} // namespace weft::inline v0
