// SPDX-License-Identifier: BSL-1.0
// Steps that an engine runs as one, in the place of the first of them: the levels of a prefix scan
// (cpu/prefix_steps.hpp), and groups that walk the same rows (cpu/row_steps.hpp).
//   joined_steps j(g, reads, program, nests, epilogues);   j.place_of(s)   j.run(s, ...)
// Needs: nests in bytes. Leaves: the bits of the steps one after the other.
#pragma once

#include <weft/cpu/epilogue.hpp>
#include <weft/cpu/prefix_steps.hpp>
#include <weft/cpu/program_code.hpp>
#include <weft/cpu/row_steps.hpp>

namespace weft::inline v0 {
namespace cpu {

class joined_steps {
public:
  joined_steps() = default;
  joined_steps(graph_view g, accesses const& reads, program_code const& code,
               growing<loop_nest> const& nests, epilogue_steps const& epilogues)
      : prefixes_(g, reads, code.plan, code.prefixes),
        rows_(g, reads, prefixes_.less_stored(code.plan), code.code, nests,
              [&](int s) { return prefixes_.place_of(s) >= 0 || epilogues.product_of(s) >= 0; }) {}

  prefix_steps const& prefixes() const { return prefixes_; }
  row_steps const& rows() const { return rows_; }
  // The step in whose place step s runs; -1: it runs alone, or as an epilogue.
  int place_of(int s) const {
    int const place = prefixes_.place_of(s);
    return place >= 0 ? place : rows_.place_of(s);
  }
  // The places of all steps: `others` (empty: each in its own), and these.
  growing<int> runs_with(growing<int> others, int steps) const {
    for (int s = 0; s < steps; ++s) {
      if (place_of(s) < 0) continue;
      if (others.empty()) others.assign(steps, -1);
      others[s] = place_of(s);
    }
    return others;
  }
  // The schedule, in which what is inside of these is not stored.
  schedule_view less_stored(schedule_view plan) const {
    return rows_.less_stored(prefixes_.less_stored(plan));
  }
  extent scratch_bytes(int s, int threads) const {
    return prefixes_.place_of(s) >= 0 ? prefixes_.scratch_bytes(s, threads)
                                      : rows_.scratch_bytes(s, threads);
  }
  // All of it at its first step, nothing at the others.
  void run(int s, value_reader const& values, growing<loop_nest> const& nests,
           kernel_call const* kernels, scratch memory, executor_ref const& on) {
    if (prefixes_.place_of(s) >= 0) prefixes_.run(s, values, memory, on);
    else rows_.run(s, values, nests, kernels, memory, on);
  }

private:
  prefix_steps prefixes_;
  row_steps rows_;
};

} // namespace cpu
} // namespace weft::inline v0
