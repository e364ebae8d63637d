// SPDX-License-Identifier: BSL-1.0
// column_tree: column reductions of few rows, or of a window, without memory for lanes: they come in
// the order of their tree, and of that only waits what has no right part yet.
//   column_tree<Program, Kernel, Target>::run(offset_of, rows, at, inner_steps, i, pairs)
// offset_of(e, p): bytes from place p of the first row to that of row e.
// Needs: row_results::are_few(); 0 < rows < 16384, best below 256: rows of a lane are 64 apart.
// Leaves: the bits of column_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/cpu/row_results.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target> class column_tree {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using lanes_of = typename results::pairs;
  static constexpr int width = code::width;
  static constexpr int places = code::self.place_count > 0 ? code::self.place_count : 1;

public:
  // The columns i … i + 2 * pairs * width - 1.
  template <class Offset>
  WEFT_INLINE static void run(Offset const& offset_of, extent rows, std::intptr_t const* at,
                              extent const* inner_steps, extent i, int pairs) {
    if constexpr (!results::are_free_of_order())
      if (rows <= most_few)
        return few_rows(offset_of, static_cast<int>(rows), at, inner_steps, i, pairs);
    int const held = rows < sum_lanes ? static_cast<int>(rows) : sum_lanes;
    int half = 1, level = 0; // the tree's first level meets lanes so far apart
    for (; 2 * half < held; half *= 2) ++level;
    for (int pair = 0; pair < pairs; ++pair, i += 2 * width) {
      if constexpr (results::are_free_of_order()) {
        lanes_of sum;
        row_at<taken::first>(sum, offset_of, at, inner_steps, 0, i);
        extent e = 1;
        for (; e + 1 < rows; e += 2) { // two rows meet aside: the chain is half as long
          lanes_of two;
          row_at<taken::first>(two, offset_of, at, inner_steps, e, i);
          row_at<taken::combined>(two, offset_of, at, inner_steps, e + 1, i);
          sum = met(sum, two);
        }
        if (e < rows) row_at<taken::combined>(sum, offset_of, at, inner_steps, e, i);
        results::store_columns(sum, at, i);
        continue;
      }
      lanes_of waiting[6];
      auto const lane = [&](int l) WEFT_LAMBDA {
        lanes_of sum;
        row_at<taken::first>(sum, offset_of, at, inner_steps, l, i);
        for (extent e = l + sum_lanes; e < rows; e += sum_lanes)
          row_at<taken::combined>(sum, offset_of, at, inner_steps, e, i);
        return sum;
      };
      for (int k = 0; k < half; ++k) {
        int const l = tree_lanes[k] >> (6 - level);
        lanes_of sum = lane(l);
        if (l + half < held) sum = met(sum, lane(l + half));
        int depth = __builtin_popcount(static_cast<unsigned>(k));
        for (int left = k; (left & 1) != 0; left >>= 1) sum = met(waiting[--depth], sum);
        waiting[depth] = sum;
      }
      results::store_columns(waiting[0], at, i);
    }
  }

private:
  // Nothing in memory, and every row's place found once.
  static constexpr int most_few = 4;
  template <class Offset>
  WEFT_INLINE static void few_rows(Offset const& offset_of, int rows, std::intptr_t const* at,
                                   extent const* inner_steps, extent i, int pairs) {
    std::intptr_t here[most_few][places];
    for (int e = 0; e < most_few; ++e)
      for (int p = 0; p < places; ++p)
        here[e][p] = e < rows ? at[p] + static_cast<std::intptr_t>(offset_of(e, p)) : 0;
    for (int pair = 0; pair < pairs; ++pair, i += 2 * width) {
      auto const lane = [&](int e) WEFT_LAMBDA {
        lanes_of sum;
        results::template take_some<0, 2, taken::first>(sum, cursor{here[e], inner_steps}, i);
        return sum;
      };
      lanes_of sum = lane(0);
      if (rows > 2) sum = met(sum, lane(2));
      if (rows > 1) sum = met(sum, rows > 3 ? met(lane(1), lane(3)) : lane(1));
      results::store_columns(sum, at, i);
    }
  }
  WEFT_INLINE static lanes_of met(lanes_of const& a, lanes_of const& b) {
    lanes_of r;
    results::each([&]<int O>() WEFT_LAMBDA {
      for (int k = 0; k < 2; ++k)
        r.template of<O>().of[k] = row<code::output_at(O).reduction>::meaning(
            a.template of<O>().of[k], b.template of<O>().of[k]);
    });
    return r;
  }
  template <taken How, class Offset>
  WEFT_INLINE static void row_at(lanes_of& sum, Offset const& offset_of, std::intptr_t const* at,
                                 extent const* inner_steps, extent e, extent i) {
    std::intptr_t here[places];
    for (int p = 0; p < places; ++p) here[p] = at[p] + static_cast<std::intptr_t>(offset_of(e, p));
    results::template take_some<0, 2, How>(sum, cursor{here, inner_steps}, i);
  }
};

} // namespace cpu
} // namespace weft::inline v0
