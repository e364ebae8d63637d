// SPDX-License-Identifier: BSL-1.0
// The prefix scans of a program (pass/prefix_chain.hpp), each run as one step by its function
// (cpu/prefix.hpp) in the place of its first reshape.
//   prefix_steps p(g, reads, plan, code.prefixes);   p.runs(s)   p.run(s, values, ...)
// Needs: per step that is a reshape of such a scan its function, or null. Leaves: the bits of its
// steps run one after the other; their values but the last have no memory.
#pragma once

#include <weft/cpu/prefix.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/pass/prefix_chain.hpp>

namespace weft::inline v0 {
namespace cpu {

class prefix_steps {
public:
  prefix_steps() = default;
  prefix_steps(graph_view g, accesses const& reads, schedule_view plan,
               prefix_code const* const* codes)
      : codes_(codes),
        found_(find_prefixes(g, reads, plan, [&](int s) { return codes[s] != nullptr; })) {
    for (prefix_chain const& c : found_.chains) forms_.push(form_of(g, reads, c));
  }

  // The step in whose place step s runs; -1: it is in none of these scans.
  int place_of(int s) const { return found_.runs_with.empty() ? -1 : found_.runs_with[s]; }
  // The schedule, in which what is inside of the scans is not stored.
  schedule_view less_stored(schedule_view plan) const {
    if (!found_.chains.empty()) plan.stored = found_.stored;
    return plan;
  }

  extent scratch_bytes(int s, int threads) const {
    int const c = beginning_at(s);
    return c < 0 ? 0 : codes_[s]->scratch_bytes(forms_[c], threads);
  }
  // Step s of a scan: all of it at its first reshape, nothing at the others.
  WEFT_NOINLINE void run(int s, value_reader const& values, scratch memory,
                         executor_ref const& on) const {
    int const c = beginning_at(s);
    if (c < 0) return;
    prefix_chain const& chain = found_.chains[c];
    if (count_of(values.g.shape(chain.to)) == 0) return;
    codes_[s]->run(forms_[c], values.memory_of(chain.from), values.memory_of(chain.to), memory, on);
  }

private:
  int beginning_at(int s) const {
    for (int c = 0; c < found_.chains.size(); ++c)
      if (found_.chains[c].place == s) return c;
    return -1;
  }
  static prefix_form form_of(graph_view g, accesses const& reads, prefix_chain const& c) {
    extents const& shape = g.shape(c.to);
    access const& from = reads.of[c.from];
    prefix_form p{.count = shape[c.axis], .reach = c.reach, .reverse = c.reverse};
    p.step = from.stride[c.axis];
    for (int axis = c.axis + 1; axis < shape.rank; ++axis) p.inner *= shape[axis];
    for (int axis = 0; axis < c.axis; ++axis) {
      if (shape[axis] == 1) continue;
      p.outer *= shape[axis];
      int const last = p.outer_shape.rank - 1;
      if (last >= 0 && p.outer_steps[last] == from.stride[axis] * shape[axis]) {
        p.outer_shape[last] *= shape[axis];
        p.outer_steps[last] = from.stride[axis];
      } else {
        p.outer_shape.push(shape[axis]);
        p.outer_steps.push(from.stride[axis]);
      }
    }
    return p;
  }

  prefix_code const* const* codes_ = nullptr; // per step
  prefix_chains found_;
  growing<prefix_form> forms_; // per chain
};

} // namespace cpu
} // namespace weft::inline v0
