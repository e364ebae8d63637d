// SPDX-License-Identifier: BSL-1.0
// Where every stored value lives during a run: offsets into one arena, by liveness. A loop's body
// is planned on its own and lies inside the scratch of the loop's step. Run once per program and
// binding, at run time (quadratic in the worst case, over live blocks only).
// Needs: a bound graph, its accesses and schedule. Leaves: values alive together do not overlap;
// every block is 64-byte aligned. Outputs are written where the caller (region 0) or the loop
// (bodies) wants them, not in the arena, unless they must be copied there.
#pragma once

#include <weft/cpu/scratch.hpp>
#include <weft/pass/schedule.hpp>

namespace weft::inline v0 {
namespace cpu {

constexpr extent bytes_of(graph_view g, int id) {
  return count_of(g.shape(id)) * size_of(g[id].type);
}

// A block list with first-fit allocation; remembers the highest byte ever used.
class arena_plan {
public:
  extent take(extent bytes) {
    bytes = aligned_bytes(bytes);
    extent at = 0;
    int i = 0;
    for (; i < used_.size() && used_[i].begin - at < bytes; ++i) at = used_[i].end;
    used_.push({});
    for (int j = used_.size() - 1; j > i; --j) used_[j] = used_[j - 1];
    used_[i] = {at, at + bytes};
    if (at + bytes > high_) high_ = at + bytes;
    return at;
  }
  void give_back(extent at, extent bytes) {
    bytes = aligned_bytes(bytes);
    for (int i = 0; i < used_.size(); ++i) {
      if (used_[i].begin != at || used_[i].end != at + bytes) continue;
      for (int j = i; j + 1 < used_.size(); ++j) used_[j] = used_[j + 1];
      used_.pop();
      return;
    }
  }
  extent high() const { return high_; }

private:
  struct block {
    extent begin = 0, end = 0;
  };
  growing<block> used_;
  extent high_ = 0;
};

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
  growing<dense_copy> copies;   // by step
  growing<extent> region_bytes; // per region
  growing<output_plan> outputs; // of all regions, by first_output_plan
  growing<int> first_output_plan;

  view<output_plan> outputs_of(graph_view g, int r) const {
    return outputs.part(first_output_plan[r], g.regions[r].output_count);
  }
};

// Is the value's memory the row-major array itself, from its first element on?
constexpr bool is_whole(graph_view g, accesses const& reads, int id) {
  access const& a = reads.of[id];
  return a.offset == 0 && is_row_major(a, g.shape(id)) &&
         count_of(g.shape(a.root)) == count_of(g.shape(id));
}
// Dense, perhaps in the middle of a larger array.
constexpr bool is_dense(graph_view g, accesses const& reads, int id) {
  op root = g[reads.of[id].root].code;
  bool memory = root != op::iota &&
                !(root == op::constant && g[reads.of[id].root].attribute_count == 1);
  return memory && is_row_major(reads.of[id], g.shape(id));
}

} // namespace cpu

namespace detail {

struct planner {
  graph_view g;
  accesses const& reads;
  schedule_view plan;
  extent (*step_scratch)(void const* context, int step); // bytes a contraction or move asks for
  void const* context;
  cpu::memory_plan out{};
  growing<int> last_use{};
  growing<bool> elsewhere{}; // written straight to an output

  void run() {
    out.offset.assign(g.size(), -1);
    out.steps.resize(plan.steps.size());
    out.region_bytes.assign(g.regions.size(), 0);
    last_use.assign(g.size(), -1);
    elsewhere.assign(g.size(), false);
    for (int r = 0; r < g.regions.size(); ++r) bind_outputs(r);
    for (int r = g.regions.size() - 1; r >= 0; --r) plan_region(r); // bodies before their loops
  }

  // ys before carries: a value that is both is written into the stack, and the carry points there.
  void bind_outputs(int r) {
    out.first_output_plan.push(out.outputs.size());
    view<int> ids = g.outputs_of(r);
    int first = out.outputs.size(), carries = r == 0 ? 0 : loop_of(g, g.regions[r].owner).carries;
    for (int id : ids) out.outputs.push({.node = id});
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < ids.size(); ++k)
        if ((k < carries) == (pass == 1)) bind_output(r, first, k, ids);
  }
  void bind_output(int r, int first, int k, view<int> ids) {
    cpu::output_plan& o = out.outputs[first + k];
    int root = reads.of[ids[k]].root;
    if (!plan.stored[root] || g[root].region != r || !cpu::is_whole(g, reads, ids[k])) return;
    if (!elsewhere[root]) {
      elsewhere[root] = true;
      o.written = root;
      return;
    }
    for (int j = 0; j < ids.size(); ++j)
      if (out.outputs[first + j].written == root) o.same_as = j;
  }

  void use(int id, int step) {
    int root = reads.of[id].root;
    if (step > last_use[root]) last_use[root] = step;
  }
  void plan_region(int r) {
    int first = plan.first_step[r], end = plan.first_step[r + 1];
    for (int s = first; s < end; ++s)
      for (int member : plan.members_of(plan.steps[s]))
        for (int operand : g.operands_of(member)) use(operand, s);
    for (int id : g.outputs_of(r)) use(id, end);
    cpu::arena_plan arena;
    growing<int> alive;
    for (int s = first; s < end; ++s) {
      allocate_results(s, arena, alive);
      allocate_scratch(s, arena);
      free_dead(s, arena, alive);
    }
    out.region_bytes[r] = arena.high();
  }
  void allocate_results(int s, cpu::arena_plan& arena, growing<int>& alive) {
    for (int member : plan.members_of(plan.steps[s])) {
      if (plan.steps[s].kind == step_kind::loop) return allocate_gets(member, arena, alive);
      allocate(member, arena, alive);
    }
  }
  // Results of a loop follow it; consumers read them through `get`.
  void allocate_gets(int owner, cpu::arena_plan& arena, growing<int>& alive) {
    for (int id = owner + 1; id < g.size(); ++id)
      if (g[id].code == op::get && g.operand(id, 0) == owner) allocate(id, arena, alive);
  }
  void allocate(int id, cpu::arena_plan& arena, growing<int>& alive) {
    if (!plan.stored[id] || elsewhere[id]) return;
    out.offset[id] = arena.take(cpu::bytes_of(g, id));
    alive.push(id);
  }
  void free_dead(int s, cpu::arena_plan& arena, growing<int>& alive) {
    int kept = 0;
    for (int id : alive) {
      if (last_use[id] <= s) arena.give_back(out.offset[id], cpu::bytes_of(g, id));
      else alive[kept++] = id;
    }
    while (alive.size() > kept) alive.pop();
  }
  void allocate_scratch(int s, cpu::arena_plan& arena) {
    step const& step = plan.steps[s];
    cpu::step_memory& m = out.steps[s];
    m.first_copy = out.copies.size();
    if (step.kind == step_kind::loop)
      for (int operand : g.operands_of(step.node)) copy_unless_dense(operand, m.first_copy);
    if (step.kind == step_kind::contraction && contraction_of(g, step.node).has_start)
      copy_unless_dense(g.operand(step.node, 2), m.first_copy);
    m.copy_count = out.copies.size() - m.first_copy;
    for (int i = 0; i < m.copy_count; ++i) {
      cpu::dense_copy& c = out.copies[m.first_copy + i];
      c.offset = arena.take(cpu::bytes_of(g, c.node));
    }
    m.scratch_bytes = scratch_of(step, s);
    m.scratch = arena.take(m.scratch_bytes);
    arena.give_back(m.scratch, m.scratch_bytes);
    for (cpu::dense_copy const& c : out.copies.part(m.first_copy, m.copy_count))
      arena.give_back(c.offset, cpu::bytes_of(g, c.node));
  }
  void copy_unless_dense(int id, int first_copy) {
    if (cpu::is_dense(g, reads, id)) return;
    for (int i = first_copy; i < out.copies.size(); ++i)
      if (out.copies[i].node == id) return;
    out.copies.push({id, 0});
  }
  // Loops: the body's arena, then two buffers per output: a carry's, or slots of a y nobody reads.
  extent scratch_of(step const& s, int index) const {
    if (s.kind == step_kind::contraction || s.kind == step_kind::move)
      return step_scratch(context, index);
    if (s.kind != step_kind::loop) return 0;
    int body = g[s.node].body;
    extent bytes = cpu::aligned_bytes(out.region_bytes[body]);
    for (int id : g.outputs_of(body)) bytes += 2 * cpu::aligned_bytes(cpu::bytes_of(g, id));
    return bytes;
  }
};

} // namespace detail
} // namespace weft::inline v0
