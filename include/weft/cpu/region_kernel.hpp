// SPDX-License-Identifier: BSL-1.0
// region_kernel: the loops of one fused group. Three forms (pass/lower.hpp): plain elementwise;
// rows, where the inner axis is reduced; columns, where it is kept and the reduced axes run inside
// strips.
// Needs: a loop nest of this kernel or of one with the same code. Leaves: results do not depend on how
// the work is cut, on the target's width, or on the number of threads.
#pragma once

#include <weft/cpu/column_loops.hpp>
#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/fixed_nest.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/row_loops.hpp>

namespace weft::inline v0 {
namespace cpu {

// A part of a group's work: outer indices, and inner indices where no reduction forbids cutting.
struct work_range {
  extent outer_begin, outer_end, inner_begin, inner_end;
};
// What one call does, as one parameter: symbols of kernels stay below 100 characters.
struct work {
  void const* self; // what the function was made for, if it serves many groups (block_kernel.hpp)
  loop_nest const& loops;
  std::intptr_t const* places;
  work_range part;
};
using kernel_function = void (*)(work const&);
struct kernel_call {
  kernel_function run = nullptr;
  void const* self = nullptr;
};

template <class Program, int Kernel, class Target> class region_kernel {
  using code = group_code<Program, Kernel, Target>;
  using registers = typename code::registers;
  using instructions = typename code::instructions;
  using outputs = typename code::outputs;
  static constexpr kernel self = code::self;
  static constexpr int width = code::width;
  static constexpr int place_count = self.place_count > 0 ? self.place_count : 1;

public:
  WEFT_NOINLINE WEFT_FAST static void run(work const& w) {
    nest_loops<Target> l{w.loops};
    work_range const part = w.part;
    std::intptr_t at[place_count]{};
    for (int p = 0; p < self.place_count; ++p) at[p] = w.places[p];
    odometer<Target> outer(w.loops, w.loops.outer, at);
    if (part.outer_begin > 0) outer.seek(part.outer_begin);
    extent o = part.outer_begin;
    reduced_moves<Target, self.form == loop_form::columns ? place_count : 0> moves;
    if constexpr (self.form == loop_form::columns)
      if (w.loops.reduced.size() > 1 && moves.are_few(w.loops.reduced_count) &&
          (part.outer_end - o) * (part.inner_end - part.inner_begin) > 4 * strip_width)
        moves.give(l);
    if constexpr (self.form == loop_form::rows)
      return row_loops<Program, Kernel, Target>::all(l, outer, at, part.outer_end - o);
    else if constexpr (self.form == loop_form::elementwise)
      return each_position<place_count>(outer, at, part.outer_end - o,
                                        [&](std::intptr_t const* here)
                                            WEFT_LAMBDA { line(l, here, part); });
    else
      for (; o < part.outer_end; ++o, outer.template next<self.place_count>()) once(l, at, part);
  }

  // All of it, of a nest that the compiler knows (cpu/fixed_nest.hpp).
  template <class Nest> WEFT_NOINLINE WEFT_FAST static void whole(work const& w) {
    std::intptr_t at[place_count]{};
    for (int p = 0; p < self.place_count; ++p) at[p] = w.places[p];
    all<Nest>(at);
  }
  // The same, inlined; `at`: addresses of all places, which it uses up.
  template <class Nest> WEFT_INLINE static void all(std::intptr_t* at) {
    using loops = fixed_loops<Nest>;
    loops::each_outer(at, [at]() WEFT_LAMBDA {
      once(loops{}, at, {0, 1, 0, loops::inner_length()});
    });
  }

private:
  // At one position of the outer loops.
  template <class Loops>
  WEFT_INLINE static void once(Loops const& l, std::intptr_t* at, work_range part) {
    if constexpr (self.form == loop_form::elementwise) line(l, at, part);
    else if constexpr (self.form == loop_form::rows) row_loops<Program, Kernel, Target>::one(l, at);
    else column_loops<Program, Kernel, Target>::all(l, at, part.inner_begin, part.inner_end);
  }

  // elementwise ---------------------------------------------------------------------------------
  template <class Loops>
  WEFT_INLINE static void line(Loops const& l, std::intptr_t const* at, work_range part) {
    cursor const c{at, l.inner_steps()};
    constexpr extent packs_of_line = (Loops::longest_line + width - 1) / width;
    if constexpr (packs_of_line <= 1 ||
                  packs_of_line <= most_unrolled_code / (self.instruction_count + 1))
      return known_line<Loops::longest_line>(c);
    else return long_line(typename code::line(c), part);
  }
  // From element First on.
  template <extent Length, extent First = 0> WEFT_INLINE static void known_line(cursor const& c) {
    constexpr extent left = Length - First;
    constexpr int at_once = code::abreast < 4 || left <= width ? 1 : left > 3 * width ? 4 : 2;
    constexpr int count = least(left, at_once * width);
    if constexpr (at_once == 1) one_pack<count>(c, First, count, outputs{});
    else some_packs<count, at_once>(c, First, count);
    if constexpr (left > count) known_line<Length, First + count>(c);
  }
  WEFT_INLINE static void long_line(typename code::line const& c, work_range part) {
    extent i = part.inner_begin;
    constexpr int two = 2 * width, most = code::abreast * width;
    if constexpr (most > two)
      for (; i + most <= part.inner_end; i += most) some_packs<most, code::abreast>(c, i, most);
    if constexpr (code::use == packs::whole_first)
      for (; i + two <= part.inner_end; i += two) some_packs<two, 2>(c, i, two);
    if constexpr (code::use == packs::two_of_any_count)
      for (; i < part.inner_end; i += two)
        some_packs<code::any_count, 2>(c, i, least(part.inner_end - i, two));
    else
      for (; i < part.inner_end; i += width)
        one_pack(c, i, least(part.inner_end - i, width), outputs{});
  }
  WEFT_INLINE static constexpr int least(extent a, extent b) {
    return static_cast<int>(a < b ? a : b);
  }

  // Count: as of group_code::execute.
  template <int Count = code::any_count, class Line, int... O>
  WEFT_INLINE static void one_pack(Line const& c, extent i, int count,
                                   std::integer_sequence<int, O...>) {
    registers r;
    code::template evaluate<Count>(r, c, i, count, instructions{});
    (code::template put<O, Count>(r, c, i, count), ...);
  }

  // Count: of all packs.
  template <int Count, int Packs, class Line>
  WEFT_INLINE static void some_packs(Line const& c, extent i, int count) {
    registers r[Packs];
    code::template evaluate_beside<Count>(r, c, i, count, instructions{});
    code::template put_beside<Count>(r, c, i, count, outputs{});
  }
};

} // namespace cpu
} // namespace weft::inline v0
