// SPDX-License-Identifier: BSL-1.0
// row_results: types and addresses of a group's reduced outputs, and what is kept of each while
// elements come: parts<Part> has a Part<O> per output.
//   typename row_results<Program, Kernel, Target>::template parts<Part> held;   held.template of<0>()
// Needs: a group that reduces. Leaves: nothing is stored but by put, take_some and store_columns.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/quick_maxima.hpp>
#include <weft/cpu/reduce.hpp>

namespace weft::inline v0 {
namespace cpu {

// How elements come to what is held.
enum class taken {
  first,    // nothing was: they are it
  combined, // by the op
  quickly   // by cpu/quick_maxima.hpp
};

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

  // Packs of elements, two or four, i … of the inner axis, go to packs P … of the parts. Outputs that
  // are not reduced go where they belong.
  template <int P, int Packs, taken How, class Parts, class Line>
  WEFT_INLINE static void take_some(Parts& held, Line const& c, extent i) {
    typename code::registers r[Packs];
    constexpr int count = Packs * code::width;
    code::template evaluate_beside<count>(r, c, i, count, typename code::instructions{});
    take_both<P, How>(held, r[0], r[1], c, i, typename code::outputs{});
    if constexpr (Packs == 4)
      take_both<P + 2, How>(held, r[2], r[3], c, i + 2 * code::width, typename code::outputs{});
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

} // namespace cpu
} // namespace weft::inline v0
