// SPDX-License-Identifier: BSL-1.0
// held_row: a row's reductions while the 64 lanes of each stay in registers, rounds of 64 elements at
// a time; what is left takes a round of values in memory (cpu/row_values.hpp). held_ends: the ends of
// four rows, whose trees go abreast: what is left of four packs becomes one by few shuffles; alone
// each takes four, and waits for every one of them. Largest and smallest floats are tried by
// cpu/quick_maxima.hpp first.
//   held_row<Program, Kernel, Target> row;   row.take(line, 0, 100);   row.finish(at)
// Needs: held_row::is_possible(): few and short instructions, no more lanes than there are registers.
// Leaves: the bits of row_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/cpu/row_values.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target> class held_row {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  static constexpr int width = code::width;

public:
  static constexpr bool is_possible() {
    int held = 0; // registers
    for (int o = 0; o < code::self.output_count; ++o)
      if (results::is_reduced(o))
        held += packs_of_round * (is_wide(code::output_at(o).type) ? 2 : 1);
    bool const is_short = code::self.work < long_work || (width == 16 && held == packs_of_round);
    return width >= 8 && held <= (width == 16 ? 16 : 8) && code::self.instruction_count <= 8 &&
           is_short && code::use == packs::whole_first;
  }

  // Elements i … end - 1, of one block.
  WEFT_INLINE void take(typename code::line const& c, extent i, extent end) {
    extent const count = end - i,
                 rest = results::are_maxima() && count > sum_lanes ? 0 : count % sum_lanes;
    rounds(c, i, end - rest);
    if (rest > 0) some(c, end - rest, static_cast<int>(rest));
  }
  template <int O> WEFT_INLINE auto const& end() const { return ends_.template of<O>(); }
  // May what is left be combined as cpu/quick_maxima.hpp does?
  WEFT_INLINE bool is_sure() const { return is_sure_; }
  WEFT_INLINE void finish(std::intptr_t const* at) const {
    results::each([&]<int O>() WEFT_LAMBDA {
      results::template put<O>(at[code::output_at(O).place], ends_.template of<O>().total());
    });
  }

private:
  using all_lanes = typename results::template parts<results::template lanes>;
  static constexpr int packs_of_round = sum_lanes / width;
  // Of polynomials, whose constants want the registers: of 32, one result's lanes leave enough.
  static constexpr int long_work = 16;

  // Less than a round of elements.
  WEFT_INLINE void some(typename code::line const& c, extent i, int count) {
    row_values<Program, Kernel, Target, sum_lanes> values;
    values.pad(values.fill(c, i, count, 0));
    results::each([&]<int O>()
                      WEFT_LAMBDA { ends_.template of<O>().add(values.template of<O>()); });
  }
  // Whole rounds, the first one's elements are the lanes; of maxima, which are what they are if some
  // elements come twice, the last one may begin before the others' end.
  WEFT_INLINE void rounds(typename code::line const& c, extent i, extent end) {
    if (i == end)
      return results::each([this]<int O>() WEFT_LAMBDA { ends_.template of<O>().clear(); });
    if constexpr (results::are_maxima()) {
      if (is_sure_ = quick_rounds(c, i, end); is_sure_) return;
      all_lanes lanes;
      all_rounds(lanes, c, i, end);
      results::each([&]<int O>() WEFT_LAMBDA {
        ends_.template of<O>().pack = lanes.template of<O>().rest();
      });
    } else all_rounds(ends_, c, i, end);
  }
  WEFT_INLINE static void all_rounds(all_lanes& lanes, typename code::line const& c, extent i,
                                     extent end) {
    round<taken::first>(lanes, c, i);
    more_rounds<taken::combined>(lanes, c, i + sum_lanes, end);
  }
  template <taken How, class Lanes>
  WEFT_INLINE static void more_rounds(Lanes& lanes, typename code::line const& c, extent i,
                                      extent end) {
    for (; i + sum_lanes <= end; i += sum_lanes) round<How>(lanes, c, i);
    if constexpr (results::are_maxima())
      if (i < end) round<How>(lanes, c, end - sum_lanes);
  }
  // Are their results sure?
  WEFT_INLINE bool quick_rounds(typename code::line const& c, extent i, extent end) {
    typename results::template parts<results::template quick_lanes> lanes;
    results::each([&]<int O>() WEFT_LAMBDA {
      lanes.template of<O>().clear();
      lanes.template of<O>().seen.clear();
    });
    more_rounds<taken::quickly>(lanes, c, i, end);
    bool sure = true;
    results::each([&]<int O>() WEFT_LAMBDA {
      auto const& row = lanes.template of<O>();
      auto& rest = ends_.template of<O>().pack;
      rest = row.rest(results::template maxima<O>::combined);
      sure = sure && row.seen.is_sure(rest);
    });
    return sure;
  }
  template <taken How, class Lanes>
  WEFT_INLINE static void round(Lanes& lanes, typename code::line const& c, extent i) {
    constexpr int some = width == 16 ? code::abreast : 2;
    [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
      (results::template take_some<some * K, some, How>(lanes, c, i + some * K * width), ...);
    }(std::make_integer_sequence<int, packs_of_round / some>{});
  }

  // What a row comes to: its lanes, or of maxima, whose order is free, the pack that they meet in.
  template <int O> using met = typename results::template sum<O>::met_lanes;
  std::conditional_t<results::are_maxima(), typename results::template parts<met>, all_lanes> ends_;
  bool is_sure_ = false;
};

template <class Program, int Kernel, class Target> class held_ends {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using row_type = held_row<Program, Kernel, Target>;

public:
  static constexpr int rows = rows_abreast;
  // Values of 64 bits take two registers, and each row has its own tree.
  static constexpr bool is_possible() {
    for (int o = 0; o < code::self.output_count; ++o)
      if (results::is_reduced(o) && is_wide(code::output_at(o).type)) return false;
    return row_type::is_possible();
  }

  // Row r of the four, its results' addresses in `at`.
  WEFT_INLINE void add(int r, row_type const& row, std::intptr_t const* at) {
    results::each([&]<int O>() WEFT_LAMBDA {
      auto& end = ends_.template of<O>();
      end.rest[r] = row.template end<O>().rest();
      end.to[r] = at[code::output_at(O).place];
    });
    are_sure_ = row.is_sure() && (r == 0 || are_sure_);
  }
  // The first `count` of them were added.
  WEFT_INLINE void finish(int count) {
    results::each([&]<int O>() WEFT_LAMBDA {
      auto& end = ends_.template of<O>();
      for (int r = count; r < rows; ++r) end.rest[r] = end.rest[0];
      if constexpr (results::are_maxima())
        if (are_sure_) return put<O>(end, count, results::template maxima<O>::combined);
      put<O>(end, count, typename results::template sum<O>::combined{});
    });
  }

private:
  template <int O> struct some_ends {
    typename results::template sum<O>::pack rest[rows];
    std::intptr_t to[rows];
  };
  template <int O, class Combine>
  WEFT_INLINE static void put(some_ends<O> const& end, int count, Combine const& combine) {
    auto const totals = results::template sum<O>::totals(end.rest, combine);
    for (int r = 0; r < count; ++r) results::template put<O>(end.to[r], lane(totals, r));
  }

  typename results::template parts<some_ends> ends_;
  bool are_sure_ = false;
};

} // namespace cpu
} // namespace weft::inline v0
