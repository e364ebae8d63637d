// SPDX-License-Identifier: BSL-1.0
// fixed_nest: the loops around a kernel as constants, for programs whose extents are all numbers and
// whose work is too little to be planned at run time (run/small_program.hpp, run/repeated.hpp).
//   struct nest { static constexpr fixed_nest<...> value; };   fixed_loops<nest>::each_outer(at, f)
// Needs: strides of outer and reduced axes and offsets counted in bytes (cpu/odometer.hpp); no empty
// axis. Leaves: the order of cpu/odometer.hpp.
#pragma once

#include <weft/core/config.hpp>
#include <weft/graph/graph.hpp>
#include <weft/pass/loop_nest.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

struct nest_sizes {
  int outer, reduced, strides, places;
};
constexpr nest_sizes sizes_of(loop_nest const& l) {
  return {l.outer.size(), l.reduced.size(), l.strides.size(), l.places()};
}
template <nest_sizes Z> struct fixed_nest {
  static constexpr nest_sizes sizes = Z;
  detail::exact<loop_axis, Z.outer> outer;
  detail::exact<loop_axis, Z.reduced> reduced;
  detail::exact<extent, Z.strides> strides;
  detail::exact<extent, Z.places> offsets;
  detail::exact<int, Z.places> roots;
  loop_axis inner;
  extent outer_count, reduced_count;

  constexpr explicit fixed_nest(loop_nest const& l)
      : inner(l.inner), outer_count(l.outer_count), reduced_count(l.reduced_count) {
    outer.fill(l.outer);
    reduced.fill(l.reduced);
    strides.fill(l.strides);
    offsets.fill(l.offsets);
    roots.fill(l.roots);
  }
};

// Loops as a kernel walks them. Nest::value: a fixed_nest.
template <class Nest> struct fixed_loops {
  static constexpr auto const& nest = Nest::value;
  static constexpr int places = nest.sizes.places;
  static constexpr extent longest_line = nest.inner.length, most_reduced = nest.reduced_count;

  WEFT_INLINE static extent inner_length() { return nest.inner.length; }
  WEFT_INLINE static extent const* inner_steps() {
    return nest.strides.items + nest.inner.first_stride;
  }
  WEFT_INLINE static extent reduced_count() { return nest.reduced_count; }
  WEFT_INLINE static bool is_one_line() { return nest.sizes.reduced == 0; }
  template <class Function>
  WEFT_INLINE static void each_outer(std::intptr_t* at, Function const& f) {
    each<0, nest.sizes.outer, true>(at, f);
  }
  template <class Function, class... Ahead>
  WEFT_INLINE static void each_reduced(std::intptr_t* at, Function const& f, Ahead const&...) {
    each<0, nest.sizes.reduced, false>(at, f);
  }

private:
  template <int Axis, int Axes, bool Outer, class Function>
  WEFT_INLINE static void each(std::intptr_t* at, Function const& f) {
    if constexpr (Axis == Axes) f();
    else {
      constexpr loop_axis a = Outer ? nest.outer.items[Axis] : nest.reduced.items[Axis];
      for (extent i = 0; i < a.length; ++i) {
        each<Axis + 1, Axes, Outer>(at, f);
        move<a.first_stride>(at, 1);
      }
      move<a.first_stride>(at, -a.length);
    }
  }
  template <int First> WEFT_INLINE static void move(std::intptr_t* at, extent by) {
#pragma GCC unroll 64
    for (int p = 0; p < places; ++p)
      at[p] += static_cast<std::intptr_t>(nest.strides.items[First + p] * by);
  }
};

} // namespace cpu
} // namespace weft::inline v0
