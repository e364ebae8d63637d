// SPDX-License-Identifier: BSL-1.0
// held_strip: column reductions of 64 neighbouring columns in registers, where any order of
// combinations gives the same bits (maxima, sums of integers): no element needs a lane of its own.
//   held_strip<Program, Kernel, Target> strip;   strip.add(cursor, i);   strip.finish(at, i)
// rows_ahead: fetches the rows of a strip before their turn.
// Needs: held_strip::is_possible(): few instructions, and no more results than there are registers.
// Leaves: the bits of column_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/cpu/held_row.hpp>
#include <weft/cpu/odometer.hpp>

namespace weft::inline v0 {
namespace cpu {

// Columns of a strip: rows are far apart, and nothing fetches the next one ahead.
inline constexpr extent strip_width = 64;

template <class Program, int Kernel, class Target> class held_strip {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using registers = typename code::registers;
  static constexpr int width = code::width, count = static_cast<int>(strip_width) / width;

public:
  static constexpr bool is_possible() {
    int held = 0;
    for (int o = 0; o < code::self.output_count; ++o) {
      output const out = code::output_at(o);
      if (!results::is_reduced(o)) continue;
      if (is_wide(out.type) || !is_free_of_order(out.reduction, out.type)) return false;
      held += count;
    }
    return width >= 8 && held <= 8 && code::use == cpu::packs::whole_first;
  }

  WEFT_INLINE held_strip() {
    results::each([this]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      for (auto& sum : sums_.template of<O>().of)
        sum = splat<Target>(empty_result<o.reduction, storage_of<o.type>>());
    });
  }
  // A row's elements i … i + 63 of the inner axis.
  WEFT_INLINE void add(cursor const& c, extent i) {
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (this->template two_packs<2 * P>(c, i + 2 * P * width, typename code::outputs{}), ...);
    }(std::make_integer_sequence<int, count / 2>{});
  }
  WEFT_INLINE void finish(std::intptr_t const* at, extent i) const {
    results::each([&]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      auto* const to = reinterpret_cast<storage_of<o.type>*>(at[o.place]) + i;
      for (int k = 0; k < count; ++k) store(to + k * width, sums_.template of<O>().of[k]);
    });
  }

private:
  template <int O> struct some_sums {
    typename results::template sum<O>::pack of[count];
  };

  template <int P, int... O>
  WEFT_INLINE void two_packs(cursor const& c, extent i, std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<code::whole>(r, q, c, i, 2 * width, typename code::instructions{});
    (take<O, P>(r, c, i), ...);
    (take<O, P + 1>(q, c, i + width), ...);
  }
  template <int O, int P> WEFT_INLINE void take(registers const& r, cursor const& c, extent i) {
    constexpr output o = code::output_at(O);
    if constexpr (!results::is_reduced(O)) code::template put<O, code::whole>(r, c, i, width);
    else {
      auto& sum = sums_.template of<O>().of[P];
      sum = row<o.reduction>::meaning(sum, r.template as<pack_of<o.type, Target>>(o.source));
    }
  }

  typename results::template parts<some_sums> sums_;
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

} // namespace cpu
} // namespace weft::inline v0
