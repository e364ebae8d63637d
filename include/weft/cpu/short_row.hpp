// SPDX-License-Identifier: BSL-1.0
// short_row: a row's reductions where the compiler knows its length, at most 64 elements: its lanes are
// in registers, and those that get no element take no part.
//   if constexpr (short_row<Program, Kernel, Target, 3>::fits) short_row<...>::run(cursor, at);
// Needs: the row is one line. Leaves: the bits of row_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/core/bits.hpp>
#include <weft/cpu/row_results.hpp>

namespace weft::inline v0 {
namespace cpu {

// Instructions of lines and rows that are unrolled, each once per pack.
inline constexpr int most_unrolled_code = 64;

template <class Program, int Kernel, class Target, extent Length> class short_row {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  static constexpr int width = code::width;
  static constexpr bool is_short = 0 < Length && Length <= sum_lanes;
  static constexpr int length = is_short ? static_cast<int>(Length) : 0;
  static constexpr int rounded_up = (length + width - 1) / width; // packs
public:
  static constexpr bool fits = is_short &&
                               rounded_up * code::self.instruction_count <= most_unrolled_code;

  WEFT_INLINE static void run(cursor const& c, std::intptr_t const* at) {
    all_lanes lanes;
    results::each([&]<int O>() WEFT_LAMBDA { // of packs that are no whole ones
      auto& packs = lanes.template of<O>().of;
      for (int p = length / width; p < used; ++p) packs[p] = results::template sum<O>::start();
    });
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (take<P>(lanes, c, typename code::outputs{}), ...);
    }(std::make_integer_sequence<int, rounded_up>{});
    results::each([&]<int O>() WEFT_LAMBDA {
      auto const total = results::template sum<O>::total(lanes.template of<O>().of);
      results::template put<O>(at[code::output_at(O).place], total);
    });
  }

private:
  static constexpr int used = static_cast<int>(
      detail::bit_ceil(rounded_up)); // packs of the tree: the others' lanes change nothing
  template <int O> struct some_lanes {
    typename results::template sum<O>::pack of[used];
  };
  using all_lanes = typename results::template parts<some_lanes>;

  template <int P, int... O>
  WEFT_INLINE static void take(all_lanes& lanes, cursor const& c,
                               std::integer_sequence<int, O...>) {
    constexpr int left = length - P * width, count = left < width ? left : width;
    typename code::registers r;
    code::template evaluate<count>(r, c, P * width, count, typename code::instructions{});
    (take_one<O, P, count>(lanes, r, c), ...);
  }
  template <int O, int P, int Count>
  WEFT_INLINE static void take_one(all_lanes& lanes, typename code::registers const& r,
                                   cursor const& c) {
    constexpr output o = code::output_at(O);
    if constexpr (!results::is_reduced(O)) code::template put<O, Count>(r, c, P * width, Count);
    else {
      auto& lane = lanes.template of<O>().of[P];
      auto const value = r.template as<pack_of<o.type, Target>>(o.source);
      if constexpr (Count == width) lane = value;
      else lane = select(first_lanes<Target>(Count), value, lane);
    }
  }
};

} // namespace cpu
} // namespace weft::inline v0
