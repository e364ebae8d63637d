// SPDX-License-Identifier: BSL-1.0
// Groups that walk the same rows (pass/row_blocks.hpp), some rows at a time through all of them: so
// many that what they touch stays in the second cache. Values inside of a run have memory for those
// rows alone, in each thread's scratch; or lie in a result's, if nothing that the run reads does.
//   row_steps r(g, reads, plan, code, nests, alone);   r.place_of(s)   r.run(s, kernels, address, ...)
// Needs: alone(step): the steps that run in another way. Leaves: the same kernels on the same
// elements, only in another order of rows: the same bits on any number of threads.
#pragma once

#include <weft/cpu/group_call.hpp>
#include <weft/cpu/memory_ranges.hpp>
#include <weft/cpu/reduce.hpp>
#include <weft/cpu/scratch.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/pass/row_blocks.hpp>

namespace weft::inline v0 {
namespace cpu {

class row_steps {
public:
  // Of a run's arrays together: less is near anyway.
  static constexpr extent least_bytes = 96 * 1024;

  row_steps() = default;
  template <class Alone>
  row_steps(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
            growing<loop_nest> const& nests, Alone const& alone)
      : code_(code), runs_(find_row_blocks(g, reads, plan, code, alone, least_bytes)) {
    if (runs_.empty()) return;
    place_of_.assign(plan.steps.size(), -1);
    for (bool stored : plan.stored) stored_.push(stored);
    for (row_block const& r : runs_) {
      details_.push({});
      describe(g, r, nests, details_.back());
    }
  }

  // The first step of the run that step s is in; -1: none.
  int place_of(int s) const { return place_of_.empty() ? -1 : place_of_[s]; }
  // The schedule, in which what is inside of the runs is not stored.
  schedule_view less_stored(schedule_view plan) const {
    if (!runs_.empty()) plan.stored = stored_;
    return plan;
  }

  extent scratch_bytes(int s, int threads) const {
    int const r = beginning_at(s);
    return r < 0 ? 0 : threads * details_[r].bytes_each;
  }

  // Step s of a run: all of it at the first one, nothing at the others.
  WEFT_NOINLINE void run(int s, value_reader const& values, growing<loop_nest> const& nests,
                         kernel_call const* kernels, scratch memory, executor_ref const& on) {
    int const r = beginning_at(s);
    if (r < 0) return;
    details_[r].place(values);
    row_block const& all = runs_[r];
    extent const effort = all.rows * all.length * details_[r].work;
    extent const rows = rows_at_a_time(details_[r].rows, all.rows, threads_for(on, effort));
    work const w{all, details_[r], nests, kernels, code_, memory, rows};
    share_ranges(
        (all.rows + rows - 1) / rows, effort, on,
        [&](extent first, extent last, int worker) { w.some_blocks(first, last, worker); });
  }

private:
  // A value inside of a run, rows of which are in each thread's scratch or in a result's memory.
  struct inside_value {
    int before = -1; // that result, if there is any
    extent row_bytes = 0;
    bool in_scratch = true;
  };
  // A place of a run's groups: where the array is, or, of a value in scratch, how far from the
  // beginning of that.
  struct run_place {
    int root = -1;
    extent offset = 0;
    int value = -1;       // its number among those inside; -1: it has memory of its own
    extent row_bytes = 0; // in scratch; else 0
    std::intptr_t at = 0;
  };
  struct group {
    int kernel = 0, first_place = 0, place_count = 0;
    extent row_length = 0; // of elementwise groups; 0: a row is one reduction
  };
  struct detail_of_run {
    extent rows = 1;       // at a time, at most
    extent bytes_each = 0; // of scratch: the places of one group, then the values inside
    extent work = 0;       // of all groups, per element
    growing<group> groups;
    growing<run_place> places;
    growing<inside_value> inside;

    void place(value_reader const& values) {
      for (inside_value& v : inside) v.in_scratch = v.before < 0 || is_shared(v.before, values);
      for (run_place& p : places) {
        inside_value const* const v = p.value >= 0 ? &inside[p.value] : nullptr;
        p.row_bytes = v != nullptr && v->in_scratch ? v->row_bytes : 0;
        if (v == nullptr) p.at = values.address[p.root] + static_cast<std::intptr_t>(p.offset);
        else if (!v->in_scratch) p.at = values.address[v->before];
      }
    }
    // Does another array of the run's lie in that result's memory? (An iota's root is the graph's
    // size, cpu/engine.hpp.)
    bool is_shared(int result, value_reader const& values) const {
      memory_ranges const now(values.g, values.reads, values.address);
      for (run_place const& p : places)
        if (p.value < 0 && p.root != result && p.root < values.g.size() &&
            now.overlap(p.root, result))
          return true;
      return false;
    }
  };

  struct work {
    row_block const& run;
    detail_of_run const& by;
    growing<loop_nest> const& nests;
    kernel_call const* kernels;
    lowered_view code;
    scratch memory;
    extent rows; // at a time

    void some_blocks(extent first, extent last, int worker) const {
      std::byte* const own = memory.part(worker, by.bytes_each).memory;
      for (extent b = first; b < last; ++b) {
        extent const row = b * rows, left = run.rows - row;
        some_rows(row, row + (left < rows ? left : rows), own);
      }
    }
    void some_rows(extent first, extent last, std::byte* own) const {
      auto* const at = reinterpret_cast<std::intptr_t*>(own);
      for (group const& k : by.groups) {
        run_place const* const places = by.places.data() + k.first_place;
        for (int p = 0; p < k.place_count; ++p)
          at[p] = places[p].row_bytes == 0
                      ? places[p].at
                      : reinterpret_cast<std::intptr_t>(own) +
                            static_cast<std::intptr_t>(places[p].offset -
                                                       first * places[p].row_bytes);
        loop_nest const& nest = nests[k.kernel];
        group_call const call{code.kernels[k.kernel], nest, kernels[k.kernel], at};
        if (k.row_length == 0) call.run({first, last, 0, nest.inner.length});
        else call.elements(first * k.row_length, last * k.row_length);
      }
    }
  };

  // Fewer where threads would be without any: four blocks for each of them.
  static extent rows_at_a_time(extent most, extent rows, extent threads) {
    extent const parts = 4 * threads * rows_abreast;
    extent const fair = (rows + parts - 1) / parts * rows_abreast;
    return threads == 1 || most < fair ? most : fair;
  }
  int beginning_at(int s) const {
    for (int r = 0; r < runs_.size(); ++r)
      if (runs_[r].first == s) return r;
    return -1;
  }

  // Of the second cache, that the rows at hand may take. (Few rows fit in the first one, and then each
  // round of groups costs more than their reading from there saves.)
  static constexpr extent most_bytes = 256 * 1024;
  WEFT_COLD void describe(graph_view g, row_block const& r, growing<loop_nest> const& nests,
                          detail_of_run& d) {
    extent const fit = r.row_bytes == 0 ? r.rows : most_bytes / r.row_bytes;
    extent const whole = fit - fit % rows_abreast;
    d.rows = fit < 1 ? 1 : fit >= r.rows ? r.rows : whole > 0 ? whole : fit;
    int most_places = 0;
    for (int s = r.first; s < r.first + r.count; ++s) {
      place_of_[s] = r.first;
      int const k = code_.kernel_of_step[s];
      kernel const& self = code_.kernels[k];
      loop_nest const& nest = nests[k];
      bool const rows = self.form == loop_form::rows;
      d.groups.push({k, d.places.size(), self.place_count,
                     rows ? 0 : nest.outer_count * nest.inner.length / r.rows});
      for (int p = 0; p < self.place_count; ++p)
        d.places.push({.root = nest.roots[p], .offset = nest.offsets[p]});
      d.work += self.work;
      if (self.place_count > most_places) most_places = self.place_count;
    }
    d.bytes_each = aligned_bytes(most_places * extent{sizeof(std::intptr_t)});
    for (auto const& [id, before] : r.inside) {
      stored_[id] = false;
      extent const row_bytes = r.row_length(g, id) * size_of(g[id].type);
      for (run_place& p : d.places)
        if (p.root == id) {
          p.value = d.inside.size();
          p.offset += d.bytes_each;
        }
      d.inside.push({before, row_bytes});
      d.bytes_each += aligned_bytes(d.rows * row_bytes);
    }
  }

  lowered_view code_;
  growing<row_block> runs_;
  growing<detail_of_run> details_; // per run
  growing<int> place_of_;          // per step; empty: there are none
  growing<bool> stored_;
};

} // namespace cpu
} // namespace weft::inline v0
