// SPDX-License-Identifier: BSL-1.0
// row_values: what rows' reductions take, in memory before it is reduced. A long list of instructions
// is compiled once, for lines of any length, and waits for no sum; what adds is the same code for
// every program (cpu/reduce.hpp), and asks nowhere how many elements there are: values that no element
// gave are those of an empty lane, which change no bit.
//   row_values<Program, Kernel, Target, 1024> values;
//   int end = values.fill(line, i, count, at);   values.pad(end);   values.of<O>()
// valued_rows: rows that are reduced so, as many at a time as fit, up to four.
//   valued_rows<Program, Kernel, Target>::run<true>(loops, outer, at, rows)
// Needs: a kernel whose inner axis is reduced. Leaves: the bits of row_accumulator; addresses behind
// the last row.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/row_results.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Program, int Kernel, class Target, int Capacity> class row_values {
  using code = group_code<Program, Kernel, Target>;
  using results = row_results<Program, Kernel, Target>;
  using registers = typename code::registers;
  using line = typename code::line;
  static constexpr int width = code::width;
  static constexpr auto instructions = typename code::instructions{};

public:
  static_assert(Capacity % sum_lanes == 0);
  // Elements i … i + count - 1 of the line as values at … at + count - 1; behind them, to the end of
  // the last pack, which is returned, are those of empty lanes.
  WEFT_INLINE int fill(line const& c, extent i, int count, int at) {
    int k = 0;
    if constexpr (code::use == packs::whole_first)
      for (; k + 2 * width <= count; k += 2 * width)
        two_packs<2 * width>(c, i + k, 2 * width, at + k);
    if constexpr (code::use == packs::two_of_any_count)
      for (; k < count; k += 2 * width)
        two_packs<code::any_count>(c, i + k, least(count - k, 2 * width), at + k);
    else
      for (; k < count; k += width) {
        registers r;
        int const some = least(count - k, width);
        code::template evaluate<code::any_count>(r, c, i + k, some, instructions);
        put<code::any_count>(r, c, i + k, some, at + k);
      }
    return at + k;
  }
  // Values from `end` to the next multiple of 64 are those of empty lanes. Returns it. (Packs that lie
  // across others are slow to read soon after; of a row filled from a multiple of 64 on, `end` is
  // best where its last pack ends.)
  WEFT_INLINE int pad(int end) {
    int const padded = (end + sum_lanes - 1) / sum_lanes * sum_lanes;
    if (end < padded)
      results::each([&]<int O>() WEFT_LAMBDA {
        auto* const to = values_.template of<O>().of;
        for (int k = end; k < padded; k += width) store(to + k, results::template sum<O>::start());
      });
    return padded;
  }
  template <int O> WEFT_INLINE auto const* of() const { return values_.template of<O>().of; }

private:
  static constexpr int least(int a, int b) { return a < b ? a : b; }

  template <int Count> WEFT_INLINE void two_packs(line const& c, extent i, int count, int at) {
    registers r[2];
    code::template evaluate_beside<Count>(r, c, i, count, instructions);
    put<code::template part<Count, 0>>(r[0], c, i, code::part_of(count, 0), at);
    put<code::template part<Count, 1>>(r[1], c, i + width, code::part_of(count, 1), at + width);
  }
  template <int Count>
  WEFT_INLINE void put(registers const& r, line const& c, extent i, int count, int at) {
    [&]<int... O>(std::integer_sequence<int, O...>) WEFT_LAMBDA {
      (this->template put_output<O, Count>(r, c, i, count, at), ...);
    }(typename code::outputs{});
  }
  template <int O, int Count>
  WEFT_INLINE void put_output(registers const& r, line const& c, extent i, int count, int at) {
    constexpr output o = code::output_at(O);
    if constexpr (!results::is_reduced(O)) code::template put<O, Count>(r, c, i, count);
    else {
      using pack = typename results::template sum<O>::pack;
      pack value = r.template as<pack_of<o.type, Target>>(o.source);
      if constexpr (Count == code::any_count)
        value = select(first_lanes<Target>(count), value, results::template sum<O>::start());
      store(values_.template of<O>().of + at, value);
    }
  }

  // Whole packs are stored, wherever the elements end.
  template <int O> struct values {
    alignas(64) typename results::template sum<O>::element_type of[Capacity + 2 * width];
  };
  typename results::template parts<values> values_;
};

template <class Program, int Kernel, class Target> class valued_rows {
  using code = group_code<Program, Kernel, Target>;
  using results = row_results<Program, Kernel, Target>;
  static constexpr int capacity = 1024;
  static constexpr int places = code::self.place_count;
  static_assert(sum_block % capacity == 0);

public:
  // From where `outer` stands on, which moves `at`. OneLine: rows may be one line.
  template <bool OneLine, class Loops, class Outer>
  WEFT_INLINE static void run(Loops const& l, Outer& outer, std::intptr_t const* at, extent rows) {
    if (l.reduced_count() == 0) return no_elements(outer, at, rows);
    valued_rows v;
    if constexpr (OneLine)
      if (l.is_one_line() && l.inner_length() <= capacity) return v.short_lines(l, outer, at, rows);
    row_sums sums;
    each_position<places>(outer, at, rows,
                          [&](std::intptr_t const* here) WEFT_LAMBDA { v.any_row(l, here, sums); });
  }

private:
  using row_sums = typename results::template parts<results::template sum>;
  template <int O> struct addresses {
    std::intptr_t of[rows_abreast];
  };
  using result_places = typename results::template parts<addresses>;

  template <class Outer>
  WEFT_INLINE static void no_elements(Outer& outer, std::intptr_t const* at, extent rows) {
    each_position<places>(outer, at, rows, [](std::intptr_t const* here) WEFT_LAMBDA {
      results::each([&]<int O>() WEFT_LAMBDA {
        constexpr output o = code::output_at(O);
        results::template put<O>(here[o.place], empty_result<o.reduction, storage_of<o.type>>());
      });
    });
  }
  // As many rows at a time as fit, up to four: their ends go abreast, and elements wait for none.
  template <class Loops, class Outer>
  WEFT_INLINE void short_lines(Loops const& l, Outer& outer, std::intptr_t const* at, extent rows) {
    int const length = static_cast<int>(l.inner_length());
    int const rounds = (length + sum_lanes - 1) / sum_lanes, padded = rounds * sum_lanes;
    int const fit = capacity / padded, most = (fit < rows_abreast ? fit : rows_abreast) * padded;
    result_places to;
    int end = 0, k = 0;
    each_position<places>(outer, at, rows, [&](std::intptr_t const* here) WEFT_LAMBDA {
      typename code::line const c(cursor{here, l.inner_steps()});
      values_.pad(values_.fill(c, 0, length, end));
      results::each(
          [&]<int O>() WEFT_LAMBDA { to.template of<O>().of[k] = here[code::output_at(O).place]; });
      ++k;
      if ((end += padded) < most) return;
      finish(to, k, rounds);
      end = k = 0;
    });
    if (k > 0) finish(to, k, rounds);
  }
  WEFT_INLINE void finish(result_places const& to, int rows, int rounds) const {
    results::each([&]<int O>() WEFT_LAMBDA {
      using sum = typename results::template sum<O>;
      typename sum::element_type totals[rows_abreast];
      sum::totals_of(values_.template of<O>(), rounds, rows, totals);
      for (int k = 0; k < rows; ++k) results::template put<O>(to.template of<O>().of[k], totals[k]);
    });
  }
  // Of any length, and of any number of lines.
  template <class Loops>
  WEFT_INLINE void any_row(Loops const& l, std::intptr_t const* at, row_sums& sums) {
    int end = 0;
    extent taken = 0;
    auto const flush = [&]() WEFT_LAMBDA { // what is padded may close a block early: no bit changes
      int const padded = values_.pad(end);
      taken += padded;
      end = 0;
      results::each([&]<int O>() WEFT_LAMBDA {
        auto& sum = sums.template of<O>();
        sum.add_rounds(values_.template of<O>(), padded / sum_lanes);
        sum.close_block(taken);
      });
    };
    each_line<places>(l, at, [&](std::intptr_t const* here) WEFT_LAMBDA {
      typename code::line const c(cursor{here, l.inner_steps()});
      extent const length = l.inner_length();
      for (extent i = 0; i < length;) {
        if (end == capacity) flush();
        extent const left = length - i, room = capacity - end;
        int const count = static_cast<int>(left < room ? left : room);
        values_.fill(c, i, count, end);
        i += count;
        end += count;
      }
    });
    flush();
    results::each([&]<int O>() WEFT_LAMBDA {
      auto& sum = sums.template of<O>();
      results::template put<O>(at[code::output_at(O).place], sum.finish(l.reduced_count()));
      sum.reset();
    });
  }

  row_values<Program, Kernel, Target, capacity> values_;
};

} // namespace cpu
} // namespace weft::inline v0
