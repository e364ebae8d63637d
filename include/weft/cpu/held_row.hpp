// SPDX-License-Identifier: BSL-1.0
// held_row: a row's reductions while the 64 lanes of each stay in registers, whole rounds of 64
// elements at a time; held_ends: the ends of four rows, whose trees go abreast. What is left of four
// packs becomes one by few shuffles; alone each takes four, and waits for every one of them. Largest
// and smallest floats are tried by cpu/quick_maxima.hpp first.
//   held_row<Program, Kernel, Target> row;   row.rounds(line, 0, 128);   row.finish(at)
// Needs: held_row::is_possible(): few instructions, and no more lanes than there are registers.
// Leaves: the bits of row_accumulator (cpu/reduce.hpp).
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/quick_maxima.hpp>
#include <weft/cpu/reduce.hpp>

namespace weft::inline v0 {
namespace cpu {

inline constexpr int held_rows_abreast = 4;

// How elements come to what is held.
enum class taken {
  first,    // nothing was: they are it
  combined, // by the op
  quickly   // by cpu/quick_maxima.hpp
};

// Types and addresses of a group's reduced outputs.
template <class Program, int Kernel, class Target> struct row_results {
  using code = group_code<Program, Kernel, Target>;

  static constexpr bool is_reduced(int o) {
    return code::output_at(o).reduction != op::stop_gradient;
  }
  // Any order of combinations gives the same bits.
  static constexpr bool are_free_of_order() {
    for (int o = 0; o < code::self.output_count; ++o)
      if (is_reduced(o) && !is_free_of_order(code::output_at(o).reduction, code::output_at(o).type))
        return false;
    return true;
  }
  // Nothing but largest and smallest floats, which cpu/quick_maxima.hpp may try: nothing is stored
  // on the way.
  static constexpr bool are_maxima() {
    for (int o = 0; o < code::self.output_count; ++o) {
      output const one = code::output_at(o);
      if (one.reduction != op::reduce_max && one.reduction != op::reduce_min) return false;
      if (!is_float(one.type) || is_wide(one.type)) return false;
    }
    return code::self.output_count > 0;
  }
  // Few instructions, and results of one register: worth compiling again for whole packs in pairs.
  static constexpr bool are_few() {
    for (int o = 0; o < code::self.output_count; ++o)
      if (is_reduced(o) && is_wide(code::output_at(o).type)) return false;
    return code::width >= 8 && code::self.instruction_count <= 8 && code::use == packs::whole_first;
  }
  template <int O>
  using sum =
      row_accumulator<Target, code::output_at(O).reduction, storage_of<code::output_at(O).type>>;
  template <int O> using maxima = quick_maxima<Target, code::output_at(O).reduction>;
  template <int O> using lanes = typename sum<O>::held_lanes;
  template <int O> struct quick_lanes : lanes<O> {
    maxima<O> seen;
  };

  // f.template operator()<O>() for each output that is reduced.
  template <class Function> WEFT_INLINE static void each(Function const& f) {
    [&]<int... O>(std::integer_sequence<int, O...>)
        WEFT_LAMBDA { (one<O>(f), ...); }(typename code::outputs{});
  }
  template <int O, class T> WEFT_INLINE static void put(std::intptr_t to, T const& total) {
    using stored = storage_of<code::output_at(O).type>;
    *reinterpret_cast<stored*>(to) = static_cast<stored>(total);
  }

private:
  template <int O, class Function> WEFT_INLINE static void one(Function const& f) {
    if constexpr (is_reduced(O)) f.template operator()<O>();
  }
  struct nothing {};
  template <template <int> class Part, int O> static constexpr auto find_part() {
    if constexpr (is_reduced(O)) return std::type_identity<Part<O>>{};
    else return std::type_identity<nothing>{};
  }
  template <template <int> class Part, int O> struct slot {
    typename decltype(find_part<Part, O>())::type part;
  };
  template <template <int> class Part, class Outputs> struct slots;
  template <template <int> class Part, int... O>
  struct slots<Part, std::integer_sequence<int, O...>> : slot<Part, O>... {
    WEFT_INLINE slots() {} // inlined: its symbol would be long
    template <int P> WEFT_INLINE auto& of() { return static_cast<slot<Part, P>&>(*this).part; }
    template <int P> WEFT_INLINE auto const& of() const {
      return static_cast<slot<Part, P> const&>(*this).part;
    }
  };

public:
  // A Part<O> for each output that is reduced: parts.template of<O>().
  template <template <int> class Part> using parts = slots<Part, typename code::outputs>;

  // Two packs of each; parts may hold more of them, as `of`.
  template <int O> struct two {
    typename sum<O>::pack of[2];
  };
  using pairs = parts<two>;

  // Two packs of elements, i … of the inner axis, go to packs P and P + 1 of the parts. Outputs that
  // are not reduced go where they belong.
  template <int P, taken How, class Parts, class Line>
  WEFT_INLINE static void take_two(Parts& held, Line const& c, extent i) {
    typename code::registers r, q;
    code::template evaluate_two<code::whole>(r, q, c, i, 2 * code::width,
                                             typename code::instructions{});
    take_both<P, How>(held, r, q, c, i, typename code::outputs{});
  }
  // All packs of the parts as columns i … of the results.
  template <class Parts>
  WEFT_INLINE static void store_columns(Parts const& held, std::intptr_t const* at, extent i) {
    each([&]<int O>() WEFT_LAMBDA {
      constexpr output o = code::output_at(O);
      auto* to = reinterpret_cast<storage_of<o.type>*>(at[o.place]) + i;
      for (auto const& pack : held.template of<O>().of) {
        store(to, pack);
        to += code::width;
      }
    });
  }

private:
  template <int P, taken How, class Parts, int... O>
  WEFT_INLINE static void take_both(Parts& held, typename code::registers const& r,
                                    typename code::registers const& q, cursor const& c, extent i,
                                    std::integer_sequence<int, O...>) {
    if constexpr (How == taken::quickly) (take_maxima<O, P>(held, r, q), ...);
    else {
      (take<O, P, How>(held, r, c, i), ...);
      (take<O, P + 1, How>(held, q, c, i + code::width), ...);
    }
  }
  template <int O, int P, class Parts>
  WEFT_INLINE static void take_maxima(Parts& held, typename code::registers const& r,
                                      typename code::registers const& q) {
    constexpr output o = code::output_at(O);
    auto& part = held.template of<O>();
    auto const a = r.template as<pack_of<o.type, Target>>(o.source);
    auto const b = q.template as<pack_of<o.type, Target>>(o.source);
    part.of[P] = part.seen.combined(part.of[P], a);
    part.of[P + 1] = part.seen.combined(part.of[P + 1], b);
    part.seen.note(a, b);
  }
  template <int O, int P, taken How, class Parts>
  WEFT_INLINE static void take(Parts& held, typename code::registers const& r, cursor const& c,
                               extent i) {
    constexpr output o = code::output_at(O);
    if constexpr (!is_reduced(O)) code::template put<O, code::whole>(r, c, i, code::width);
    else {
      auto& lane = held.template of<O>().of[P];
      auto const value = r.template as<pack_of<o.type, Target>>(o.source);
      if constexpr (How == taken::first) lane = value;
      else lane = row<o.reduction>::meaning(lane, value);
    }
  }
};

template <class Program, int Kernel, class Target> class held_row {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  static constexpr int width = code::width;

public:
  static constexpr bool is_possible() {
    int held = 0; // registers
    for (int o = 0; o < code::self.output_count; ++o)
      if (results::is_reduced(o))
        held += sum_lanes / width * (is_wide(code::output_at(o).type) ? 2 : 1);
    return width >= 8 && held <= (width == 16 ? 16 : 8) && code::self.instruction_count <= 8 &&
           code::use == packs::whole_first;
  }
  // Rows of so many elements are nothing but rounds, of one block; maxima, which are what they are
  // if some elements come twice, end in a round that begins before it.
  static constexpr bool is_whole(extent length) {
    if constexpr (results::are_maxima()) return length >= sum_lanes;
    else return length > 0 && length < sum_block && length % sum_lanes == 0;
  }

  // Elements i … end - 1. The first round's elements are the lanes.
  WEFT_INLINE void rounds(typename code::line const& c, extent i, extent end) {
    if (i == end)
      return results::each([this]<int O>() WEFT_LAMBDA { ends_.template of<O>().clear(); });
    if constexpr (results::are_maxima()) {
      if (quick_rounds(c, i, end)) return;
      all_lanes lanes;
      all_rounds(lanes, c, i, end);
      results::each([&]<int O>() WEFT_LAMBDA {
        ends_.template of<O>().pack = lanes.template of<O>().rest();
      });
    } else all_rounds(ends_, c, i, end);
  }
  template <int O> WEFT_INLINE auto const& end() const { return ends_.template of<O>(); }
  WEFT_INLINE void finish(std::intptr_t const* at) const {
    results::each([&]<int O>() WEFT_LAMBDA {
      results::template put<O>(at[code::output_at(O).place], ends_.template of<O>().total());
    });
  }

private:
  using all_lanes = typename results::template parts<results::template lanes>;

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
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (results::template take_two<2 * P, How>(lanes, c, i + 2 * P * width), ...);
    }(std::make_integer_sequence<int, sum_lanes / width / 2>{});
  }

  // What a row comes to: its lanes, or of maxima, whose order is free, the pack that they meet in.
  template <int O> using met = typename results::template sum<O>::met_lanes;
  std::conditional_t<results::are_maxima(), typename results::template parts<met>, all_lanes> ends_;
};

template <class Program, int Kernel, class Target> class held_ends {
  using results = row_results<Program, Kernel, Target>;
  using code = group_code<Program, Kernel, Target>;
  using row_type = held_row<Program, Kernel, Target>;

public:
  static constexpr int rows = held_rows_abreast;
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
  }
  WEFT_INLINE void finish() const {
    results::each([this]<int O>() WEFT_LAMBDA {
      auto const& end = ends_.template of<O>();
      auto const totals = results::template sum<O>::totals(end.rest);
      for (int r = 0; r < rows; ++r) results::template put<O>(end.to[r], lane(totals, r));
    });
  }

private:
  template <int O> struct some_ends {
    typename results::template sum<O>::pack rest[rows];
    std::intptr_t to[rows];
  };
  typename results::template parts<some_ends> ends_;
};

} // namespace cpu
} // namespace weft::inline v0
