// SPDX-License-Identifier: BSL-1.0
// Where every stored value lives during a run: offsets into one arena, by liveness. A value that is
// computed element on element from one that dies there takes over its block; the other blocks are
// laid out the largest first, each at the lowest place that is free while it lives. A loop's body is
// planned on its own and lies inside the scratch of the loop's step. Run once per program and
// binding, at run time (quadratic in the number of blocks).
// Needs: a bound graph, its accesses and schedule. Leaves: values alive together do not overlap;
// every block is 64-byte aligned. Outputs are written where the caller (region 0) or the loop
// (bodies) wants them, not in the arena, unless they must be copied there.
#pragma once

#include <weft/graph/custom_call.hpp>
#include <weft/pass/arena_layout.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {

constexpr extent bytes_of(graph_view g, int id) {
  return count_of(g.shape(id)) * size_of(g[id].type);
}

// How output k of a region gets its value.
struct output_plan {
  int node = -1;    // the output
  int written = -1; // the stored node whose memory is the target itself; -1: copied at the end
  int same_as = -1; // an earlier-bound output that is the same value
};

struct step_memory {
  extent scratch = 0; // offset of the step's own scratch in its region's arena
  extent scratch_bytes = 0;
  int first_copy = 0, copy_count = 0; // operands that must lie dense: copied before the step
};

struct dense_copy {
  int node = -1;
  extent offset = 0;
};

struct memory_plan {
  growing<extent> offset;       // per node, in its region's arena; -1: elsewhere
  growing<step_memory> steps;   // per step
  growing<int> computed_at;     // per step: the step in whose place it runs: itself, or one before
  bool may_wait = false;        // may an epilogue wait for its product instead?
  growing<dense_copy> copies;   // by step
  growing<extent> region_bytes; // per region
  growing<extent> region_least; // alive at once at most, by region: what no layout can go below
  growing<output_plan> outputs; // of all regions, by first_output_plan
  growing<int> first_output_plan;

  view<output_plan> outputs_of(graph_view g, int r) const {
    return outputs.part(first_output_plan[r], g.regions[r].output_count);
  }
};

// Does step s read the stored value, argument or constant `root`?
constexpr bool step_reads(graph_view g, accesses const& reads, schedule_view plan, int s,
                          int root) {
  for (int member : plan.members_of(plan.steps[s]))
    if (reads_root(g, reads, member, root)) return true;
  return false;
}

// Is the value's memory the row-major array itself, from its first element on?
constexpr bool is_whole(graph_view g, accesses const& reads, int id) {
  access const& a = reads.of[id];
  return a.offset == 0 && is_row_major(a, g.shape(id)) &&
         count_of(g.shape(a.root)) == count_of(g.shape(id));
}
// Dense behind the first axes, perhaps in the middle of a larger array.
constexpr bool is_dense(graph_view g, accesses const& reads, int id, int first = 0) {
  node const& root = g[reads.of[id].root];
  bool const memory = root.code != op::iota &&
                      !(root.code == op::constant && root.attribute_count == 1);
  return memory && is_row_major(reads.of[id], g.shape(id), first);
}
// Is step s a group whose reads of stored value `root` all visit the elements that are being
// written, so that a result may lie where it lies? A kernel loads before it stores.
constexpr bool reads_in_place(graph_view g, accesses const& reads, schedule_view plan, int s,
                              int root) {
  schedule_step const& st = plan.steps[s];
  if (st.kind != step_kind::group || st.reduced != 0) return false;
  for (int member : plan.members_of(st))
    for (int operand : g.operands_of(member))
      if (reads.of[operand].root == root &&
          !(is_whole(g, reads, operand) && g.shape(operand) == g.shapes[st.shape]))
        return false;
  return true;
}

// The output of region r whose memory stored value `root` is written into: of those that are all of
// it the first y, to which a carry may point, else the first carry; -1: none.
constexpr int output_holding(graph_view g, accesses const& reads, schedule_view plan, int r,
                             int root) {
  if (!plan.stored[root] || g[root].region != r) return -1;
  view<int> const ids = g.outputs_of(r);
  int const carries = r == 0 ? 0 : loop_of(g, g.regions[r].owner).carries;
  for (int i = 0; i < ids.size(); ++i) {
    int const k = (carries + i) % ids.size();
    if (reads.of[ids[k]].root == root && is_whole(g, reads, ids[k])) return k;
  }
  return -1;
}

namespace detail {

struct planner {
  graph_view g;
  accesses const& reads;
  schedule_view plan;
  extent (*step_scratch)(void const* context,
                         int step); // bytes that a step which is no loop asks for
  void const* context;
  // Per step, if any: the step in whose place it runs, at once with others (a product with its
  // epilogue, a chain of rows, a prefix scan); -1: its own.
  view<int> runs_with{};
  bool dense_starts = true; // must a contraction's start lie dense?
  // May a result lie where its step alone, among those that run with it, reads element on element?
  bool in_place_at_once = false;
  // Per step, if any: until which step its result and scratch are in use for it (pass/overlap.hpp).
  view<int> finished_before{};
  // Per region, if any: do its values and its steps' scratch lie apart, as its steps may be taken at
  // once for different rows (cpu/shared_loops.hpp)?
  view<bool> apart{};
  memory_plan out{};
  growing<int> last_use{};
  growing<bool> elsewhere{}; // written straight to an output
  growing<int> block_of{};   // per node, in its region's layout; -1: none
  growing<int> holder{};     // per block: the value in it

  WEFT_COLD void run() {
    out.offset.assign(g.size(), -1);
    out.steps.resize(plan.steps.size());
    for (int s = 0; s < plan.steps.size(); ++s) out.computed_at.push(time_of(s));
    out.region_bytes.assign(g.regions.size(), 0);
    out.region_least.assign(g.regions.size(), 0);
    block_of.assign(g.size(), -1);
    last_use.assign(g.size(), -1);
    elsewhere.assign(g.size(), false);
    for (int r = 0; r < g.regions.size(); ++r) bind_outputs(r);
    for (int r = g.regions.size() - 1; r >= 0; --r) plan_region(r); // bodies before their loops
  }

  WEFT_COLD void bind_outputs(int r) {
    out.first_output_plan.push(out.outputs.size());
    view<int> const ids = g.outputs_of(r);
    for (int k = 0; k < ids.size(); ++k) {
      int const root = reads.of[ids[k]].root;
      int const same = is_whole(g, reads, ids[k]) ? output_holding(g, reads, plan, r, root) : -1;
      if (same == k) elsewhere[root] = true;
      out.outputs.push({ids[k], same == k ? root : -1, same == k ? -1 : same});
    }
  }

  int time_of(int s) const { return runs_with.empty() || runs_with[s] < 0 ? s : runs_with[s]; }
  bool overlaps(int s) const { return !finished_before.empty() && finished_before[s] >= 0; }
  // The last step that runs before s is finished: itself, if nothing runs meanwhile.
  int last_of(int s) const { return overlaps(s) ? finished_before[s] - 1 : s; }
  // What step s needs from `first` to `last`: in regions whose steps may be taken at once, always.
  bool is_apart(int s) const { return !apart.empty() && apart[plan.steps[s].region]; }
  int from(int s, int first) const {
    return is_apart(s) ? plan.first_step[plan.steps[s].region] : first;
  }
  int until(int s, int last) const {
    return is_apart(s) ? plan.first_step[plan.steps[s].region + 1] : last;
  }
  void use(int id, int step) {
    int root = reads.of[id].root;
    if (step > last_use[root]) last_use[root] = step;
  }
  WEFT_COLD void plan_region(int r) {
    int first = plan.first_step[r], end = plan.first_step[r + 1];
    for (int s = first; s < end; ++s)
      for (int member : plan.members_of(plan.steps[s]))
        for (int operand : g.operands_of(member)) use(operand, time_of(s));
    for (int id : g.outputs_of(r)) use(id, end);
    for (int s = first; s < end; ++s)
      if (overlaps(s)) use(plan.steps[s].node, last_of(s));
    arena_layout blocks;
    growing<int> scratch(end - first, -1), copies; // blocks of steps, and of their copies
    int const first_copy = out.copies.size();
    holder.clear();
    for (int s = first; s < end; ++s) {
      add_results(s, blocks);
      add_copies(s, blocks, copies);
      scratch[s - first] = add_scratch(s, blocks);
    }
    out.region_bytes[r] = blocks.place();
    out.region_least[r] = blocks.most_alive();
    for (int s = first; s < end; ++s)
      if (int const b = scratch[s - first]; b >= 0) out.steps[s].scratch = blocks[b].offset;
    for (int i = 0; i < copies.size(); ++i)
      out.copies[first_copy + i].offset = blocks[copies[i]].offset;
    for (int id = 0; id < g.size(); ++id)
      if (g[id].region == r && block_of[id] >= 0) out.offset[id] = blocks[block_of[id]].offset;
  }
  WEFT_COLD void add_results(int s, arena_layout& blocks) {
    for (int member : plan.members_of(plan.steps[s])) {
      if (has_result_list(g[member].code)) return add_gets(member, s, blocks);
      add_result(member, s, blocks);
    }
  }
  // Results of a loop or custom_call follow it; consumers read them through `get`.
  void add_gets(int owner, int s, arena_layout& blocks) {
    for (int id = owner + 1; id < g.size(); ++id)
      if (g[id].code == op::get && g.operand(id, 0) == owner) add_result(id, s, blocks);
  }
  WEFT_COLD void add_result(int id, int s, arena_layout& blocks) {
    if (!plan.stored[id] || elsewhere[id]) return;
    int const time = time_of(s), first = from(s, time);
    int const last = until(s, last_use[id] > time ? last_use[id] : time);
    int& b = block_of[id] = is_apart(s) ? -1 : block_to_take_over(id, s, blocks);
    if (b >= 0) blocks[b].last = last;
    else b = blocks.add(first, last, bytes_of(g, id));
    hold(b, id);
  }
  void hold(int block, int id) {
    while (holder.size() <= block) holder.push(-1);
    holder[block] = id;
  }
  // The block of a value that step s reads last, element on element with result `id`; or -1.
  WEFT_COLD int block_to_take_over(int id, int s, arena_layout const& blocks) const {
    schedule_step const& st = plan.steps[s];
    if (st.kind != step_kind::group || !(g.shape(id) == g.shapes[st.shape])) return -1;
    for (int member : plan.members_of(st))
      for (int operand : g.operands_of(member)) {
        int const root = reads.of[operand].root, b = block_of[root];
        bool const dies = b >= 0 && g[root].region == g[id].region && holder[b] == root &&
                          plan.group_of[root] != s && dies_with(root, s);
        if (dies && size_of(g[root].type) == size_of(g[id].type) &&
            blocks[b].bytes == aligned_bytes(bytes_of(g, id)) &&
            reads_in_place(g, reads, plan, s, root))
          return b;
      }
    return -1;
  }
  // Does no step that runs with s, before or after it, read root?
  bool dies_with(int root, int s) const {
    int const time = time_of(s);
    if (last_use[root] != time) return false;
    if (runs_with.empty()) return true;
    for (int t = time; t < plan.steps.size(); ++t)
      if (t != s && time_of(t) == time && step_reads(g, reads, plan, t, root)) return false;
    return time == s || in_place_at_once;
  }
  WEFT_COLD void add_copies(int s, arena_layout& blocks, growing<int>& copies) {
    schedule_step const& step = plan.steps[s];
    step_memory& m = out.steps[s];
    m.first_copy = out.copies.size();
    if (step.kind == step_kind::loop)
      for (int operand : g.operands_of(step.node)) copy_unless_dense(operand, m.first_copy);
    if (dense_starts && step.kind == step_kind::contraction &&
        contraction_of(g, step.node).has_start)
      copy_unless_dense(g.operand(step.node, 2), m.first_copy);
    if (g[step.node].code == op::custom_call) {
      int const axes = batch_axes_of(g.attributes_of(step.node));
      for (int operand : g.operands_of(step.node)) copy_unless_dense(operand, m.first_copy, axes);
    }
    m.copy_count = out.copies.size() - m.first_copy;
    for (dense_copy const& c : out.copies.part(m.first_copy, m.copy_count)) {
      copies.push(blocks.add(s, s, bytes_of(g, c.node))); // (what goes by rows has none)
      hold(copies.back(), -1);
    }
  }
  void copy_unless_dense(int id, int first_copy, int batch_axes = 0) {
    if (is_dense(g, reads, id, batch_axes)) return;
    for (int i = first_copy; i < out.copies.size(); ++i)
      if (out.copies[i].node == id) return;
    out.copies.push({id, 0});
  }
  // Loops: the body's arena, then two buffers per output: a carry's, or slots of a y nobody reads.
  int add_scratch(int s, arena_layout& blocks) {
    schedule_step const& st = plan.steps[s];
    extent bytes = 0, saved = 0;
    if (st.kind != step_kind::loop) bytes = step_scratch(context, s);
    else {
      int const body = g[st.node].body;
      bytes = aligned_bytes(out.region_bytes[body]);
      saved = bytes - aligned_bytes(out.region_least[body]);
      for (int id : g.outputs_of(body)) bytes += 2 * aligned_bytes(bytes_of(g, id));
    }
    out.steps[s].scratch_bytes = bytes;
    if (bytes == 0) return -1;
    int const b = blocks.add(from(s, s), until(s, last_of(s)), bytes, bytes - saved);
    hold(b, -1);
    return b;
  }
};

} // namespace detail
} // namespace weft::inline v0
