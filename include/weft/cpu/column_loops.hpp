// SPDX-License-Identifier: BSL-1.0
// column_loops: the reduced axes of a group inside strips of columns. Few rows, and windows, go by
// their tree (cpu/column_tree.hpp); of more, many columns by the rows of a lane (cpu/wide_columns.hpp),
// whole strips in registers or four rows of a lane at a time (cpu/held_strip.hpp); what is left, by one
// row after another and a lane each.
//   column_loops<Program, Kernel, Target>::all(loops, at, begin, end)
// Needs: a kernel that keeps its inner axis. Leaves: addresses as they were; bits that do not depend
// on how the columns are cut.
#pragma once

#include <weft/cpu/column_tree.hpp>
#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/held_strip.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/wide_columns.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target> class column_loops {
  using code = group_code<Program, Kernel, Target>;
  using registers = typename code::registers;
  using instructions = typename code::instructions;
  using outputs = typename code::outputs;
  using results = row_results<Program, Kernel, Target>;
  using held_columns = held_strip<Program, Kernel, Target>;
  using four_lanes = four_turns<Program, Kernel, Target>;
  using tree = column_tree<Program, Kernel, Target>;
  using wide = wide_columns<Program, Kernel, Target>;
  using fetches = rows_ahead<Program, Kernel, Target>;
  static constexpr int width = code::width;
  static constexpr int place_count = code::self.place_count > 0 ? code::self.place_count : 1;

public:
  // Columns begin … end - 1, at one position of the outer loops.
  template <class Loops>
  WEFT_INLINE static void all(Loops const& l, std::intptr_t* at, extent begin, extent end) {
    fetches const ahead(l);
    if constexpr (goes_by_lanes<Loops>)
      if (wide::fits(l, end - begin)) begin = wide::run(l, at, begin, end);
    for (extent i = begin; i < end; i += strip_width)
      strip(l, ahead, at, i, least(end - i, strip_width), outputs{});
  }

private:
  // Sums of few instructions, of rows that the run steps through: by the rows of their lanes.
  template <class Loops>
  static constexpr bool goes_by_lanes = results::are_few() && !held_columns::is_possible() &&
                                        requires(Loops const& l) { l.row_step(); };
  WEFT_INLINE static int least(extent a, extent b) { return static_cast<int>(a < b ? a : b); }

  static constexpr int pairs = static_cast<int>(strip_width) / 2 / width;
  template <int O>
  using column_sum = column_accumulator<Target, code::output_at(O).reduction,
                                        storage_of<code::output_at(O).type>, 2 * pairs>;
  using column_sums = typename results::template parts<column_sum>;

  template <class Loops, int... O>
  WEFT_INLINE static void strip(Loops const& l, fetches const& ahead, std::intptr_t* at, extent i,
                                int count, std::integer_sequence<int, O...>) {
    if constexpr (results::are_few() && requires { l.row_step(); })
      if (int const done = by_tree(l, at, i, count); done > 0) {
        if (done == count) return;
        i += done;
        count -= done;
      }
    auto const fetch = [&]() WEFT_LAMBDA { ahead.fetch(at, i); };
    if constexpr (held_columns::is_possible())
      if (count == strip_width) {
        if constexpr (held_columns::is_quick())
          if (store_held<taken::quickly>(l, ahead, at, i)) return;
        store_held<taken::combined>(l, ahead, at, i);
        return;
      }
    column_sums sums;
    int const groups = column_groups<Target>(count);
    extent e = 0;
    auto const row = [&]() WEFT_LAMBDA {
      cursor const c{at, l.inner_steps()};
      auto const take = [&](bool is_first)
                            WEFT_LAMBDA { row_of_strip<O...>(sums, c, i, count, e, is_first); };
      if constexpr (Loops::most_reduced <= sum_lanes) take(true);
      else if constexpr (code::use == packs::two_of_any_count) take(e < sum_lanes);
      else if (e < sum_lanes) take(true); // a short list is compiled twice: nobody asks in its loop
      else take(false);
      results::each([&]<int P>() WEFT_LAMBDA { sums.template of<P>().close_block(e, groups); });
      ++e;
    };
    if constexpr (goes_by_lanes<Loops>)
      if (count == strip_width && l.row_step() != nullptr &&
          l.reduced_count() >= four_lanes::rows) {
        e = four_lanes::run(l, ahead, at, i, sums);
        while (e < l.reduced_count()) {
          row();
          add_to_addresses(at, l.row_step(), 1, place_count);
        }
        add_to_addresses(at, l.row_step(), -e, place_count);
        return finish(sums, at, i, e, count);
      }
    l.each_reduced(at, row, fetch);
    finish(sums, at, i, l.reduced_count(), count);
  }
  // The columns i … i + 63, in registers; false: results that were taken quickly are not sure, and
  // are not stored. (Columns that a function returned would be in memory.)
  template <taken How, class Loops>
  WEFT_INLINE static bool store_held(Loops const& l, fetches const& ahead, std::intptr_t* at,
                                     extent i) {
    constexpr bool again = How == taken::combined && held_columns::is_quick(); // seldom: one walk
    if constexpr (!again && requires { l.row_step(); })
      if (l.row_step() != nullptr) return store_held_by_step<How>(l, ahead, at, i);
    held_columns columns;
    l.each_reduced(
        at,
        [&]() WEFT_LAMBDA {
          columns.template add<How>({at, l.inner_steps()}, i);
        },
        [&]() WEFT_LAMBDA { ahead.fetch(at, i); });
    return store_if_sure<How>(columns, at, i);
  }
  // Addresses of a strip's row stay in registers, and its packs are at constant offsets.
  template <taken How>
  WEFT_INLINE static bool store_held_by_step(nest_loops<Target> const& l, fetches const& ahead,
                                             std::intptr_t const* at, extent i) {
    extent const *const inner = l.inner_steps(), *const step = l.row_step();
    std::intptr_t here[place_count];
    for (int p = 0; p < place_count; ++p) here[p] = at[p];
    code::move_line(here, inner, i);
    held_columns columns;
    for (extent e = 0; e < l.reduced_count(); ++e) {
      if (e % nest_loops<Target>::positions_per_fetch == 0) ahead.fetch(here, 0);
      columns.template add<How>({here, inner}, 0);
      for (int p = 0; p < place_count; ++p) here[p] += step[p];
    }
    return store_if_sure<How>(columns, at, i);
  }
  template <taken How>
  WEFT_INLINE static bool store_if_sure(held_columns const& columns, std::intptr_t const* at,
                                        extent i) {
    if constexpr (How == taken::quickly)
      if (!columns.is_sure()) return false;
    columns.finish(at, i);
    return true;
  }
  // A window, or few rows: as many columns as whole packs of two hold, which is the result.
  WEFT_INLINE static int by_tree(nest_loops<Target> const& l, std::intptr_t const* at, extent i,
                                 int count) {
    int const two_packs = count / (2 * width);
    extent const rows = l.reduced_count();
    extent const *const offsets = l.offsets, *const step = l.row_step();
    if (two_packs == 0) return 0;
    // A question at every row would cost a quarter of the time.
    if (offsets != nullptr)
      tree::run([=](extent e, int p) WEFT_LAMBDA { return offsets[e * place_count + p]; }, rows, at,
                l.inner_steps(), i, two_packs);
    else if (step != nullptr && 0 < rows && rows < four_lanes::rows &&
             !(held_columns::is_possible() && count == strip_width))
      tree::run([=](extent e, int p) WEFT_LAMBDA { return e * step[p]; }, rows, at, l.inner_steps(),
                i, two_packs);
    else return 0;
    return 2 * two_packs * width;
  }
  // Element e of the reduced axes; is_first: it is one of the first 64.
  template <int... O, class Sums>
  WEFT_INLINE static void row_of_strip(Sums& sums, cursor const& c, extent i, int count, extent e,
                                       bool is_first) {
    for (int p = 0; 2 * p * width < count; ++p) {
      extent const here = i + 2 * p * width;
      int const some = least(count - 2 * p * width, 2 * width);
      registers r[2];
      code::template evaluate_beside<code::any_count>(r, c, here, some, instructions{});
      int const first = code::part_of(some, 0);
      (take_column<O>(sums, r[0], c, here, 2 * p, e, is_first, first), ...);
      (take_column<O>(sums, r[1], c, here + width, 2 * p + 1, e, is_first, some - first), ...);
    }
  }
  template <int O, class Sums>
  WEFT_INLINE static void take_column(Sums& sums, registers const& r, cursor const& c, extent i,
                                      int column, extent e, bool is_first, int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient)
      code::template put<O, code::any_count>(r, c, i, count);
    else {
      auto const value = r.template as<pack_of<o.type, Target>>(o.source);
      sums.template of<O>().add(e, column, value, is_first);
    }
  }
  WEFT_INLINE static void finish(column_sums& sums, std::intptr_t const* at, extent i, extent total,
                                 int count) {
    results::each([&]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      auto& sum = sums.template of<O>();
      auto* const to = reinterpret_cast<storage_of<o.type>*>(at[o.place]) + i;
      sum.finish(total, column_groups<Target>(count));
      for (int k = 0; k * width < count; ++k)
        store_first(to + k * width, sum.result(k), least(count - k * width, width));
    });
  }
};

} // namespace cpu
} // namespace weft::inline v0
