// SPDX-License-Identifier: BSL-1.0
// held_strip: column reductions of 64 neighbouring columns in registers, where any order of
// combinations gives the same bits (maxima, sums of integers): no element needs a lane of its own.
//   held_strip<Program, Kernel, Target> strip;   strip.add(cursor, i);   strip.finish(at, i)
// rows_ahead: fetches the rows of a strip before their turn.
// four_turns: of other reductions, four rows whose elements go to the same lanes: a lane is read and
// stored once for four of them.
//   extent rows = four_turns<Program, Kernel, Target>::run(loops, ahead, at, i, sums);
// Needs: held_strip::is_possible(): few instructions, and no more results than there are registers;
// of four_turns, row_results::are_few(). Leaves: the bits of column_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/cpu/odometer.hpp>
#include <weft/cpu/row_results.hpp>

namespace weft::inline v0 {
namespace cpu {

// Columns of a strip: rows are far apart, and nothing fetches the next one ahead.
inline constexpr extent strip_width = 64;

template <class Program, int Kernel, class Target> class held_strip {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  static constexpr int width = code::width, count = static_cast<int>(strip_width) / width;

public:
  static constexpr bool is_possible() {
    int held = 0;
    for (int o = 0; o < code::self.output_count; ++o) {
      if (!results::is_reduced(o)) continue;
      if (is_wide(code::output_at(o).type)) return false;
      held += count;
    }
    return results::are_free_of_order() && width >= 8 && held <= 8 &&
           code::use == cpu::packs::whole_first;
  }

  // Are columns tried by cpu/quick_maxima.hpp first? Of long lists of instructions they are not: the
  // rows would be compiled once more.
  static constexpr bool is_quick() { return results::are_maxima() && results::are_few(); }

  WEFT_INLINE held_strip() {
    results::each([this]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      auto& sums = sums_.template of<O>();
      for (auto& sum : sums.of)
        sum = splat<Target>(empty_result<o.reduction, storage_of<o.type>>());
      if constexpr (is_quick()) sums.seen.clear();
    });
  }
  // A row's elements i … i + 63 of the inner axis.
  template <taken How> WEFT_INLINE void add(cursor const& c, extent i) {
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (results::template take_some<2 * P, 2, How>(sums_, c, i + 2 * P * width), ...);
    }(std::make_integer_sequence<int, count / 2>{});
  }
  WEFT_INLINE void finish(std::intptr_t const* at, extent i) const {
    results::store_columns(sums_, at, i);
  }

  // After rows that were taken quickly.
  WEFT_INLINE bool is_sure() const {
    bool sure = true;
    results::each([&]<int O>() WEFT_LAMBDA {
      auto const& sums = sums_.template of<O>();
      for (auto const& sum : sums.of) sure = sure && sums.seen.is_sure(sum);
    });
    return sure;
  }

private:
  template <int O> struct some_sums {
    typename results::template sum<O>::pack of[count];
  };
  template <int O> struct some_maxima : some_sums<O> {
    typename results::template maxima<O> seen;
  };
  std::conditional_t<is_quick(), typename results::template parts<some_maxima>,
                     typename results::template parts<some_sums>>
      sums_;
};

// Rows of 1 KB and more, of an array that the second cache does not hold: its machinery follows lines
// that are neighbours, and a strip's are not. (In the second cache fetching costs a quarter more.)
template <class Program, int Kernel, class Target> class rows_ahead {
  using code = group_code<Program, Kernel, Target>;
  static constexpr int places = code::self.place_count > 0 ? code::self.place_count : 1;
  static constexpr extent rows = 16, least_row = 1024, least_array = 2 << 20, line = 64;
  static constexpr bool is_streamed(int p) {
    return p < code::self.place_count && code::place_at(p).inner == inner_stride::unit;
  }

public:
  template <class Loops> WEFT_INLINE explicit rows_ahead(Loops const& l) {
    if constexpr (requires { l.nest.steps(l.nest.inner); }) // not of fixed ones
      if (!l.nest.reduced.empty() && l.moves == nullptr) {  // windows are near
        extent const* const steps = l.nest.steps(l.nest.reduced.back());
        for (int p = 0; p < places; ++p)
          if (is_streamed(p) && steps[p] >= least_row &&
              steps[p] * l.nest.reduced_count >= least_array)
            step_[p] = steps[p], any_ = true;
      }
  }
  // Where the next four rows begin, four rows that come 16 later.
  WEFT_INLINE void fetch(std::intptr_t const* at, extent i) const {
    if (!any_) return;
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (this->template fetch_place<P>(at, i), ...);
    }(std::make_integer_sequence<int, places>{});
  }

private:
  template <int P> WEFT_INLINE void fetch_place(std::intptr_t const* at, extent i) const {
    if constexpr (is_streamed(P)) {
      if (step_[P] == 0) return;
      constexpr extent size = size_of(code::place_at(P).type);
      for (extent r = rows; r < rows + nest_loops<Target>::positions_per_fetch; ++r)
        for (extent b = 0; b < strip_width * size; b += line)
          __builtin_prefetch(reinterpret_cast<char const*>(at[P] + i * size + r * step_[P] + b));
    }
  }

  extent step_[places]{};
  bool any_ = false;
};

template <class Program, int Kernel, class Target> class four_turns {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using ahead_of = rows_ahead<Program, Kernel, Target>;
  static constexpr int width = code::width;
  static constexpr int places = code::self.place_count > 0 ? code::self.place_count : 1;

public:
  static constexpr int turns = 4;
  static constexpr extent rows = turns * sum_lanes;

  // The columns i ... i + 63 of as many rows as there are 256 of; `at` is behind them then. Returns
  // their number.
  template <class Sums>
  WEFT_INLINE static extent run(nest_loops<Target> const& l, ahead_of const& ahead,
                                std::intptr_t* at, extent i, Sums& sums) {
    extent const* const step = l.row_step();
    extent const whole = l.reduced_count() / rows * rows;
    for (extent e = 0; e < whole; e += rows) {
      some_rows(l, ahead, at, i, sums, e == 0);
      add_to_addresses(at, step, rows, places);
      results::each([&]<int O>() WEFT_LAMBDA {
        sums.template of<O>().close_block(e + rows - 1, static_cast<int>(strip_width) / width);
      });
    }
    return whole;
  }
  // Two packs of columns, i ... of the inner axis, of some rows whose elements go to one lane:
  // lane.template operator()<O>(k) is what there is of pack k; of the first rows, nothing.
  template <int Rows, class Lane>
  WEFT_INLINE static void take(std::intptr_t const (&row)[Rows][places], extent const* inner_steps,
                               extent i, bool is_first, Lane const& lane) {
    typename results::pairs held;
    if (is_first)
      results::template take_some<0, 2, taken::first>(held, cursor{row[0], inner_steps}, i);
    else {
      results::each([&]<int O>() WEFT_LAMBDA {
        for (int k = 0; k < 2; ++k) held.template of<O>().of[k] = lane.template operator()<O>(k);
      });
      results::template take_some<0, 2, taken::combined>(held, cursor{row[0], inner_steps}, i);
    }
    for (int t = 1; t < Rows; ++t)
      results::template take_some<0, 2, taken::combined>(held, cursor{row[t], inner_steps}, i);
    results::each([&]<int O>() WEFT_LAMBDA {
      for (int k = 0; k < 2; ++k) lane.template operator()<O>(k) = held.template of<O>().of[k];
    });
  }

private:
  template <class Sums>
  WEFT_INLINE static void some_rows(nest_loops<Target> const& l, ahead_of const& ahead,
                                    std::intptr_t const* at, extent i, Sums& sums, bool is_first) {
    extent const* const step = l.row_step();
    std::intptr_t turn[turns][places];
    for (int t = 0; t < turns; ++t) {
      for (int p = 0; p < places; ++p) turn[t][p] = at[p];
      add_to_addresses(turn[t], step, t * sum_lanes, places);
    }
    for (int lane = 0; lane < sum_lanes; ++lane) {
      if (lane % nest_loops<Target>::positions_per_fetch == 0)
        for (auto const& t : turn) ahead.fetch(t, i);
      one_lane(turn, l.inner_steps(), i, sums, lane, is_first);
      for (auto& t : turn) add_to_addresses(t, step, 1, places);
    }
  }
  template <class Sums>
  WEFT_INLINE static void one_lane(std::intptr_t const (&turn)[turns][places],
                                   extent const* inner_steps, extent i, Sums& sums, int lane,
                                   bool is_first) {
    for (int pair = 0; 2 * pair * width < strip_width; ++pair)
      take(turn, inner_steps, i + 2 * pair * width, is_first,
           [&]<int O>(int k)
               WEFT_LAMBDA -> auto& { return sums.template of<O>().lane(lane, 2 * pair + k); });
  }
};

} // namespace cpu
} // namespace weft::inline v0
