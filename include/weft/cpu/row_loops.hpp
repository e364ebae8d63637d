// SPDX-License-Identifier: BSL-1.0
// row_loops: reductions of a group's rows. Rows whose length the compiler knows are unrolled where they
// are short (cpu/short_row.hpp); lines of few and short instructions are added while they come
// (cpu/held_row.hpp), four rows abreast; of all others values are first, sums afterwards
// (cpu/row_values.hpp).
//   row_loops<Program, Kernel, Target>::all(loops, outer, at, rows)
// Needs: a kernel whose inner axis is reduced. Leaves: addresses behind the last row; bits that do not
// depend on the way taken.
#pragma once

#include <weft/cpu/held_row.hpp>
#include <weft/cpu/short_row.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target> class row_loops {
  using code = group_code<Program, Kernel, Target>;
  using results = row_results<Program, Kernel, Target>;
  using held = held_row<Program, Kernel, Target>;
  using ends = held_ends<Program, Kernel, Target>;
  using valued = valued_rows<Program, Kernel, Target>;

public:
  // From where `outer` stands on.
  template <class Loops, class Outer>
  WEFT_INLINE static void all(Loops const& l, Outer& outer, std::intptr_t const* at, extent rows) {
    if constexpr (held::is_possible())
      if (l.is_one_line() && l.inner_length() > 0) {
        if (l.inner_length() <= sum_block) short_lines(l, outer, at, rows);
        else
          each_position<places>(outer, at, rows,
                                [&](std::intptr_t const* here) WEFT_LAMBDA { long_line(l, here); });
        return;
      }
    valued::template run<!held::is_possible()>(l, outer, at, rows);
  }
  // One row.
  template <class Loops> WEFT_INLINE static void one(Loops const& l, std::intptr_t const* at) {
    using few = short_row<Program, Kernel, Target, Loops::longest_line>;
    if constexpr (few::fits && Loops::longest_line == Loops::most_reduced)
      few::run({at, l.inner_steps()}, at);
    else {
      nowhere outer;
      all(l, outer, at, 1);
    }
  }

private:
  static constexpr int places = code::self.place_count;
  struct nowhere {
    WEFT_INLINE static extent run(extent) { return 1; }
    WEFT_INLINE static extent const* run_step() { return nullptr; }
    WEFT_INLINE static void skip(extent) {}
  };
  // Of one block.
  template <class Loops, class Outer>
  WEFT_INLINE static void short_lines(Loops const& l, Outer& outer, std::intptr_t const* at,
                                      extent rows) {
    ends four;
    int k = 0;
    each_position<places>(outer, at, rows, [&](std::intptr_t const* here) WEFT_LAMBDA {
      held row;
      row.take(typename code::line(cursor{here, l.inner_steps()}), 0, l.inner_length());
      if constexpr (ends::is_possible()) {
        four.add(k, row, here);
        if (++k == ends::rows) four.finish(ends::rows), k = 0;
      } else row.finish(here);
    });
    if constexpr (ends::is_possible())
      if (k > 0) four.finish(k);
  }
  template <class Loops>
  WEFT_INLINE static void long_line(Loops const& l, std::intptr_t const* at) {
    typename code::line const c(cursor{at, l.inner_steps()});
    typename results::template parts<results::template sum> sums;
    extent const length = l.inner_length();
    for (extent i = 0; i < length;) {
      extent const end = length - i < sum_block ? length : i + sum_block;
      held row;
      row.take(c, i, end);
      i = end;
      results::each([&]<int O>() WEFT_LAMBDA {
        sums.template of<O>().begin_with(row.template end<O>());
        sums.template of<O>().close_block(i);
      });
    }
    results::each([&]<int O>() WEFT_LAMBDA {
      results::template put<O>(at[code::output_at(O).place], sums.template of<O>().finish(length));
    });
  }
};

} // namespace cpu
} // namespace weft::inline v0
