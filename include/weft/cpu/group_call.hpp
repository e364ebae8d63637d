// SPDX-License-Identifier: BSL-1.0
// group_call: one group's kernel, its loops and the addresses that it works on; run as a whole, cut
// for the threads of an executor, or on the elements that a product has just finished.
// Needs: what it refers to, while it runs; finished(): an elementwise group. Leaves: results that do
// not depend on how the work is cut.
#pragma once

#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/finished_part.hpp>
#include <weft/cpu/region_kernel.hpp>

namespace weft::inline v0 {
namespace detail {

// Elements that a group's kernel takes, times what it does with each.
constexpr extent work_of(kernel const& k, loop_nest const& l) {
  extent const line = k.form != loop_form::rows ? l.inner.length : 1; // else reduced_count has it
  return l.outer_count * l.reduced_count * line * k.work;
}

} // namespace detail

namespace cpu {

struct group_call {
  kernel const& code;
  loop_nest const& nest;
  kernel_call call;
  std::intptr_t const* places;

  void run(work_range const& part) const { call.run({call.self, nest, places, part}); }

  WEFT_NOINLINE void run(executor_ref const& on) const {
    extent const inner = nest.inner.length, outer = nest.outer_count;
    int const threads = threads_for(on, detail::work_of(code, nest));
    if (threads == 1) return run({0, outer, 0, inner});
    extent const parts = 4 * threads;
    if (outer >= parts) {
      on.parallel_for(static_cast<int>(parts), [&](int task, int) {
        run({outer * task / parts, outer * (task + 1) / parts, 0, inner});
      });
    } else if (code.form != loop_form::rows && inner >= 64 * parts) {
      extent const blocks = (inner + 63) / 64;
      on.parallel_for(static_cast<int>(parts), [&](int task, int) {
        extent const end = blocks * (task + 1) / parts * 64;
        run({0, outer, blocks * task / parts * 64, end < inner ? end : inner});
      });
    } else run({0, outer, 0, inner});
  }

  // Elements of the iteration shape, row-major: those of a product's result.
  WEFT_NOINLINE void finished(finished_part const& part) const {
    extent const line = nest.inner.length, i = part.first % line, o = part.first / line;
    if (part.lines == 1 || part.step == part.length)
      elements(part.first, part.first + part.lines * part.length);
    else if (part.step == line && i + part.length <= line)
      run({o, o + part.lines, i, i + part.length});
    else
      for (extent l = 0, at = part.first; l < part.lines; ++l, at += part.step)
        elements(at, at + part.length);
  }

  // Those of [first, last).
  WEFT_NOINLINE void elements(extent first, extent last) const {
    extent const line = nest.inner.length;
    while (first < last) {
      extent const o = first / line, i = first % line, left = last - first;
      if (i == 0 && left >= line) {
        run({o, o + left / line, 0, line});
        first += left / line * line;
      } else {
        extent const count = line - i < left ? line - i : left;
        run({o, o + 1, i, i + count});
        first += count;
      }
    }
  }
};

} // namespace cpu
} // namespace weft::inline v0
