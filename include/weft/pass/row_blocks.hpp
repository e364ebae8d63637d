// SPDX-License-Identifier: BSL-1.0
// find_row_blocks: runs of groups, one behind the other in a schedule, that walk the same rows, so that
// a backend can take a few rows through all of them before it goes to the next: softmax is a maximum,
// a sum of exponentials and a quotient. A run begins with a reduction over whole rows (the last axes).
// To it come groups over the same shape with the same or no reductions, and elementwise groups that
// do one element per row, as long as each reads of the others' values only its own row.
// Values that nobody else reads need memory for the rows at hand only. Where the last group that reads
// one writes a result of its shape, element on element, it may lie there until then, which spares the
// caches an array.
// Needs: a bound graph, its accesses, schedule and lowered code. Leaves: steps in their order; what a
// run reads is computed before its first step, or in it.
#pragma once

#include <weft/pass/lower.hpp>
#include <weft/pass/memory_plan.hpp>

namespace weft::inline v0 {

struct row_block {
  extents shape{};
  extent reduced = 0;          // axis set of the rows
  extent rows = 1, length = 1; // of elements
  extent row_bytes = 0;     // of all arrays of `shape` that one row's way through the run touches
  int first = 0, count = 0; // steps
  struct value {
    int node = -1;
    int before = -1; // the result in whose memory it may lie; -1: none
  };
  growing<value> inside{}; // values that need no memory of their own

  // Elements per row of a value that is computed here.
  extent row_length(graph_view g, int id) const { return count_of(g.shape(id)) / rows; }
};

namespace detail {

class row_block_finder {
public:
  row_block_finder(graph_view g, accesses const& reads, schedule_view plan, lowered_view code)
      : g_(g), reads_(reads), plan_(plan), code_(code) {}

  // `alone(step)`: does it run in another way? Runs of less than `least` bytes are left as they are.
  template <class Alone> growing<row_block> find(Alone const& alone, extent least) {
    for (int s = 0; s < plan_.steps.size(); ++s) {
      if (open_ && !alone(s) && joins(s)) {
        ++now_.count;
        continue;
      }
      close(least);
      if (!alone(s)) begin(s);
    }
    close(least);
    return std::move(out_);
  }

private:
  schedule_step const& at(int s) const { return plan_.steps[s]; }
  extents const& shape_of(int s) const { return g_.shapes[at(s).shape]; }
  weft::kernel const& kernel_of(int s) const { return code_.kernels[code_.kernel_of_step[s]]; }
  bool is_inside(int s) const { return s >= now_.first && s < now_.first + now_.count; }

  WEFT_COLD void begin(int s) {
    if (at(s).kind != step_kind::group || at(s).reduced == 0) return;
    if (kernel_of(s).form != loop_form::rows || kernel_of(s).inner_axis < 0) return;
    now_ = {.shape = shape_of(s), .reduced = at(s).reduced, .first = s, .count = 1};
    bool last = true; // nothing that is kept came yet
    for (int axis = now_.shape.rank - 1; axis >= 0; --axis) {
      if (now_.shape[axis] == 1) continue;
      bool const is_reduced = has_axis(now_.reduced, axis);
      if (is_reduced && !last) return;
      last = last && is_reduced;
      (is_reduced ? now_.length : now_.rows) *= now_.shape[axis];
    }
    open_ = now_.rows > 1 && now_.length > 1;
  }
  WEFT_COLD bool joins(int s) const {
    if (at(s).kind != step_kind::group || at(s).region != at(now_.first).region) return false;
    bool const walks = shape_of(s) == now_.shape;
    if (walks && at(s).reduced != 0 && at(s).reduced != now_.reduced) return false;
    if (!walks && (at(s).reduced != 0 || !is_per_row(shape_of(s)))) return false;
    weft::kernel const& k = kernel_of(s);
    if (k.inner_axis < 0) return false;
    for (instruction const& i : code_.instructions_of(k))
      if (i.kind == instruction_kind::load &&
          !reads_own_row(walks, shape_of(s), code_.places_of(k)[i.place]))
        return false;
    return true;
  }
  // One element per row, extents of 1 aside?
  bool is_per_row(extents const& shape) const {
    extents kept, own;
    for (int a = 0; a < now_.shape.rank; ++a)
      if (now_.shape[a] != 1 && !has_axis(now_.reduced, a)) kept.push(now_.shape[a]);
    for (int a = 0; a < shape.rank; ++a)
      if (shape[a] != 1) own.push(shape[a]);
    return own == kept;
  }
  // What the run has computed is read where the group's own row is: as it lies, or its number.
  WEFT_COLD bool reads_own_row(bool walks, extents const& shape, place const& p) const {
    access const& a = reads_.of[p.node];
    int const from = step_computing(g_, plan_, a.root);
    if (from < 0 || !is_inside(from)) return true;
    extent const length = now_.row_length(g_, a.root);
    bool own = a.offset == 0 && (walks || length == 1);
    extent step = 1;
    for (int axis = shape.rank - 1; axis >= 0; --axis) {
      if (shape[axis] == 1) continue;
      bool const along = walks && has_axis(now_.reduced, axis);
      own = own && a.stride[axis] == (along && length == 1 ? 0 : step);
      if (!along || length != 1) step *= shape[axis];
    }
    return own;
  }

  WEFT_COLD void close(extent least) {
    bool const was_open = open_;
    open_ = false;
    if (!was_open || now_.count < 2) return;
    for (int s = now_.first; s < now_.first + now_.count; ++s) count_bytes(s);
    if (now_.row_bytes * now_.rows < least) return;
    for (int s = now_.first; s < now_.first + now_.count; ++s)
      for (int id : plan_.members_of(at(s)))
        if (plan_.stored[id] && !is_read_outside(id)) now_.inside.push({id, result_over(id)});
    for (row_block::value const& v : now_.inside)
      if (v.before >= 0) now_.row_bytes -= now_.length * size_of(g_[v.node].type);
    out_.push(now_);
  }
  // A result that the last step reading `id` writes where that lay, and no other value before it.
  WEFT_COLD int result_over(int id) const {
    if (!(g_.shape(id) == now_.shape)) return -1;
    int last = -1;
    for (int s = now_.first; s < now_.first + now_.count; ++s)
      if (plan_.group_of[id] != s && step_reads(g_, reads_, plan_, s, id)) last = s;
    if (last < 0 || !reads_in_place(g_, reads_, plan_, last, id)) return -1;
    for (int member : plan_.members_of(at(last)))
      if (plan_.stored[member] && is_read_outside(member) && !is_taken(member) &&
          g_.shape(member) == now_.shape && size_of(g_[member].type) == size_of(g_[id].type))
        return member;
    return -1;
  }
  WEFT_COLD bool is_taken(int result) const {
    for (row_block::value const& v : now_.inside)
      if (v.before == result) return true;
    return false;
  }
  // Of its arrays that no group before it in the run has.
  WEFT_COLD void count_bytes(int s) {
    for (place const& p : code_.places_of(kernel_of(s))) {
      int const root = reads_.of[p.node].root;
      op const code = g_[root].code;
      bool const whole = count_of(g_.shape(root)) >= now_.rows * now_.length;
      if (!whole || code == op::iota || code == op::constant || has_before(s, p, root)) continue;
      now_.row_bytes += now_.length * size_of(g_[root].type);
    }
  }
  bool has_before(int s, place const& until, int root) const {
    for (int t = now_.first; t <= s; ++t)
      for (place const& p : code_.places_of(kernel_of(t))) {
        if (&p == &until) return false;
        if (reads_.of[p.node].root == root) return true;
      }
    return false;
  }
  bool is_read_outside(int root) const {
    for (int id = root + 1; id < g_.size(); ++id) {
      int const s = plan_.group_of[id];
      if (s >= 0 && !is_inside(s) && reads_root(g_, reads_, id, root)) return true;
    }
    return is_output_root(g_, reads_, root);
  }

  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  lowered_view code_;
  row_block now_;
  bool open_ = false;
  growing<row_block> out_;
};

} // namespace detail

template <class Alone>
growing<row_block> find_row_blocks(graph_view g, accesses const& reads, schedule_view plan,
                                   lowered_view code, Alone const& alone, extent least) {
  return detail::row_block_finder(g, reads, plan, code).find(alone, least);
}

} // namespace weft::inline v0
