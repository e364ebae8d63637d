// SPDX-License-Identifier: BSL-1.0
// wide_columns: column reductions of many rows and columns. The rows of one lane are read after
// another's, each as it lies, many columns at once: the machine fetches lines ahead that are
// neighbours, which those of narrow strips are not. Lanes come in the order of their tree, so that of
// 64 rows of sums no more than 7 wait, in near caches.
//   i = wide_columns<Program, Kernel, Target>::run(loops, at, begin, end);   // columns up to i
// Needs: row_results::are_few(); fits(loops, columns).
// Leaves: the bits of column_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/core/extents.hpp>
#include <weft/cpu/held_strip.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target> class wide_columns {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using some_turns = four_turns<Program, Kernel, Target>;
  static constexpr int width = code::width, turns = some_turns::turns, levels = 7;
  static constexpr int places = code::self.place_count > 0 ? code::self.place_count : 1;

public:
  // Columns at once: 7 rows of sums of 1,024 floats are 28 KB. (Zen 5: fewer than 256 are as fast by
  // strips; 512 at once take up to 12 % longer; of two sums 1,024 are still best.)
  static constexpr extent least = 256, most = 1024;
  WEFT_INLINE static bool fits(nest_loops<Target> const& l, extent columns) {
    extent const rows = l.reduced_count();
    return columns >= least && l.row_step() != nullptr && sum_lanes <= rows && rows <= sum_block;
  }
  // Where what is left begins: fewer columns than two packs have, of those that are not read twice.
  WEFT_INLINE static extent run(nest_loops<Target> const& l, std::intptr_t const* at, extent begin,
                                extent end) {
    if constexpr (!may_repeat()) end -= (end - begin) % pair_width;
    extent const parts = detail::share_count(end - begin, most);
    extent const each = detail::share_count(detail::share_count(end - begin, parts), pair_width) *
                        pair_width;
    while (begin < end) {
      extent const left = end - begin;
      columns const c{l.inner_steps(),
                      l.row_step(),
                      l.reduced_count(),
                      at,
                      begin,
                      left < each + pair_width ? left : each};
      some_columns(c);
      begin += c.count;
    }
    return end;
  }

private:
  static constexpr extent pair_width = 2 * width;
  // The last part may be longer than the others by nearly two packs.
  template <int O> struct waiting_rows {
    alignas(64) typename results::template sum<O>::pack of[levels][most / width + 2];
  };
  using waiting = typename results::template parts<waiting_rows>;

  // The last two packs of columns may begin among those before them, if nothing is stored on the way.
  static constexpr bool may_repeat() {
    for (int o = 0; o < code::self.output_count; ++o)
      if (!results::is_reduced(o)) return false;
    return true;
  }
  struct columns {
    extent const *inner_steps, *step;
    extent rows;
    std::intptr_t const* at;
    extent first, count;

    int pairs() const { return static_cast<int>(detail::share_count(count, pair_width)); }
    extent pair(int p) const {
      extent const here = p * pair_width;
      return first + (here + pair_width <= count ? here : count - pair_width);
    }
  };

  WEFT_INLINE static void some_columns(columns const& c) {
    waiting sums;
    for (int k = 0; k < sum_lanes; ++k) {
      int depth = __builtin_popcount(static_cast<unsigned>(k));
      lane(c, tree_lanes[k], sums, depth);
      for (int left = k; (left & 1) != 0; left >>= 1) meet(sums, depth--, c.pairs());
    }
    results::each([&]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      auto* const to = reinterpret_cast<storage_of<o.type>*>(c.at[o.place]);
      for (int p = 0; p < c.pairs(); ++p)
        for (int k = 0; k < 2; ++k)
          store(to + c.pair(p) + k * width, sums.template of<O>().of[0][2 * p + k]);
    });
  }
  // The elements of lane `number` become row `depth` of what waits.
  WEFT_INLINE static void lane(columns const& c, int number, waiting& sums, int depth) {
    extent e = number;
    for (; e + (turns - 1) * sum_lanes < c.rows; e += turns * sum_lanes)
      some_rows<turns>(c, e, sums, depth);
    for (; e < c.rows; e += sum_lanes) some_rows<1>(c, e, sums, depth);
  }
  // Unrolled: a loop over the rows of two packs costs a fifth more (2000x500, Zen 5).
  template <int Rows>
  WEFT_INLINE static void some_rows(columns const& c, extent e, waiting& sums, int depth) {
    std::intptr_t row[Rows][places];
    for (int t = 0; t < Rows; ++t)
      for (int p = 0; p < places; ++p)
        row[t][p] = c.at[p] + static_cast<std::intptr_t>((e + t * sum_lanes) * c.step[p]);
    for (int pair = 0; pair < c.pairs(); ++pair)
      some_turns::take(row, c.inner_steps, c.pair(pair), e < sum_lanes,
                       [&]<int O>(int k) WEFT_LAMBDA -> auto& {
                         return sums.template of<O>().of[depth][2 * pair + k];
                       });
  }
  WEFT_INLINE static void meet(waiting& sums, int depth, int pairs) {
    results::each([&]<int O>() WEFT_LAMBDA {
      auto& rows = sums.template of<O>().of;
      for (int c = 0; c < 2 * pairs; ++c)
        rows[depth - 1][c] = row<code::output_at(O).reduction>::meaning(rows[depth - 1][c],
                                                                        rows[depth][c]);
    });
  }
};

} // namespace cpu
} // namespace weft::inline v0
