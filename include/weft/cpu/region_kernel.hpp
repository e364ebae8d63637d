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
#include <weft/cpu/held_row.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/short_row.hpp>

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
  using results = row_results<Program, Kernel, Target>;
  using held = held_row<Program, Kernel, Target>;
  using ends = held_ends<Program, Kernel, Target>;
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
    if constexpr (self.form == loop_form::rows && ends::is_possible())
      if (l.is_one_line() && held::is_whole(l.inner_length()))
        for (; o + ends::rows <= part.outer_end; o += ends::rows) four_rows(l, outer, at);
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
    else if constexpr (self.form == loop_form::rows) rows(l, at, outputs{});
    else column_loops<Program, Kernel, Target>::all(l, at, part.inner_begin, part.inner_end);
  }

  // elementwise ---------------------------------------------------------------------------------
  template <class Loops>
  WEFT_INLINE static void line(Loops const& l, std::intptr_t const* at, work_range part) {
    cursor const c{at, l.inner_steps()};
    constexpr extent packs_of_line = (Loops::longest_line + width - 1) / width;
    if constexpr (packs_of_line <= 1 ||
                  packs_of_line <= most_unrolled_code / (self.instruction_count + 1))
      return known_line<Loops::longest_line>(
          c, std::make_integer_sequence<int, static_cast<int>(packs_of_line)>{});
    else return long_line(typename code::line(c), part);
  }
  template <extent Length, int... P>
  WEFT_INLINE static void known_line(cursor const& c, std::integer_sequence<int, P...>) {
    (one_pack<least(Length - P * width, width)>(c, P * width, least(Length - P * width, width),
                                                outputs{}),
     ...);
  }
  WEFT_INLINE static void long_line(typename code::line const& c, work_range part) {
    extent i = part.inner_begin;
    if constexpr (code::use == packs::whole_first)
      for (; i + 2 * width <= part.inner_end; i += 2 * width)
        two_packs<code::whole>(c, i, 2 * width, outputs{});
    if constexpr (code::use == packs::two_of_any_count)
      for (; i < part.inner_end; i += 2 * width)
        two_packs<code::any_count>(c, i, least(part.inner_end - i, 2 * width), outputs{});
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

  template <int Count, class Line, int... O>
  WEFT_INLINE static void two_packs(Line const& c, extent i, int count,
                                    std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<Count>(r, q, c, i, count, instructions{});
    int const first = code::first_of(count);
    (code::template put<O, Count>(r, c, i, first), ...);
    (code::template put<O, Count>(q, c, i + width, count - first), ...);
  }

  // rows ----------------------------------------------------------------------------------------
  using row_sums = typename results::template parts<results::template sum>;

  template <class Loops, int... O>
  WEFT_INLINE static void rows(Loops const& l, std::intptr_t* at,
                               std::integer_sequence<int, O...> all) {
    using few = short_row<Program, Kernel, Target, Loops::longest_line>;
    constexpr bool in_rounds = held::is_possible() && held::is_whole(Loops::longest_line);
    if constexpr (few::fits && !in_rounds && Loops::longest_line == Loops::most_reduced)
      few::run({at, l.inner_steps()}, at);
    else rows_of_any_length(l, at, all);
  }
  template <class Loops, int... O>
  WEFT_INLINE static void rows_of_any_length(Loops const& l, std::intptr_t* at,
                                             std::integer_sequence<int, O...> all) {
    if constexpr (held::is_possible() && Loops::longest_line > width)
      if (l.is_one_line()) return one_line(l, at, all);
    row_sums sums;
    extent e = 0; // elements taken so far
    l.each_reduced(at, l.inner_length(), [&]() WEFT_LAMBDA {
      cursor const c{at, l.inner_steps()};
      if constexpr (Loops::longest_line <= width && Loops::most_reduced < sum_block) {
        row_pack<Loops::longest_line>(c, 0, e, Loops::longest_line, sums, all);
        e += Loops::longest_line;
      } else {
        typename code::line const line(c);
        for (extent i = 0; i < l.inner_length();) {
          extent to_block_end = sum_block - e % sum_block;
          extent count = l.inner_length() - i < to_block_end ? l.inner_length() - i : to_block_end;
          row_piece(line, i, count, e, sums, all);
          i += count;
          e += count;
          (close<O>(sums, e), ...);
        }
      }
    });
    (finish_row<O>(sums, at, l.reduced_count()), ...);
  }
  // Elements i … i + count - 1 of the inner axis are elements e … of the reduction, in one block.
  template <class Line, class Sums, int... O>
  WEFT_INLINE static void row_piece(Line const& c, extent i, extent count, extent e, Sums& sums,
                                    std::integer_sequence<int, O...>) {
    extent done = 0;
    if constexpr (code::use == packs::whole_first)
      if (e % width == 0)
        for (; done + 2 * width <= count; done += 2 * width)
          row_packs<code::whole>(c, i + done, e + done, 2 * width, sums, outputs{});
    if constexpr (code::use == packs::two_of_any_count)
      for (; done < count; done += 2 * width)
        row_packs<code::any_count>(c, i + done, e + done, least(count - done, 2 * width), sums,
                                   outputs{});
    else
      for (; done < count; done += width)
        row_pack(c, i + done, e + done, least(count - done, width), sums, outputs{});
  }
  // A row that is one line, block by block: whole rounds of 64 elements, then packs.
  template <class Loops, int... O>
  WEFT_INLINE static void one_line(Loops const& l, std::intptr_t* at,
                                   std::integer_sequence<int, O...> all) {
    typename code::line const c(cursor{at, l.inner_steps()});
    extent const length = l.inner_length();
    if (held::is_whole(length)) {
      held row;
      row.rounds(c, 0, length);
      return row.finish(at);
    }
    row_sums sums;
    for (extent i = 0; i < length;) {
      extent const count = length - i < sum_block ? length - i : sum_block;
      extent const whole = count / sum_lanes * sum_lanes, end = i + count;
      held row;
      row.rounds(c, i, i + whole);
      (begin_with<O>(sums, row), ...);
      for (i += whole; i < end; i += width) row_pack(c, i, i, least(end - i, width), sums, all);
      i = end;
      (close<O>(sums, i), ...);
    }
    (finish_row<O>(sums, at, length), ...);
  }
  template <int O, class Sums> WEFT_INLINE static void begin_with(Sums& sums, held const& row) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      sums.template of<O>().begin_with(row.template end<O>());
  }
  WEFT_INLINE static void four_rows(nest_loops<Target> const& l, odometer<Target>& outer,
                                    std::intptr_t const* at) {
    ends four;
    for (int r = 0; r < ends::rows; ++r, outer.template next<self.place_count>()) {
      held row;
      row.rounds(typename code::line(cursor{at, l.inner_steps()}), 0, l.inner_length());
      four.add(r, row, at);
    }
    four.finish();
  }
  template <int Count = code::any_count, class Line, class Sums, int... O>
  WEFT_INLINE static void row_pack(Line const& c, extent i, extent e, int count, Sums& sums,
                                   std::integer_sequence<int, O...>) {
    registers r;
    code::template evaluate<Count>(r, c, i, count, instructions{});
    (take<O, Count>(sums, r, c, i, e, count), ...);
  }
  template <int Count, class Line, class Sums, int... O>
  WEFT_INLINE static void row_packs(Line const& c, extent i, extent e, int count, Sums& sums,
                                    std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<Count>(r, q, c, i, count, instructions{});
    int const first = code::first_of(count);
    (take<O, Count>(sums, r, c, i, e, first), ...);
    (take<O, Count>(sums, q, c, i + width, e + width, count - first), ...);
  }
  template <int O, int Count, class Sums>
  WEFT_INLINE static void take(Sums& sums, registers const& r, cursor const& c, extent i, extent e,
                               int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) code::template put<O, Count>(r, c, i, count);
    else {
      auto value = r.template as<pack_of<o.type, Target>>(o.source);
      auto& sum = sums.template of<O>();
      if constexpr (Count == code::whole) sum.add(e, value);
      else sum.add_some(e, count, value);
    }
  }
  template <int O, class Sums> WEFT_INLINE static void close(Sums& sums, extent e) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      sums.template of<O>().close_block(e);
  }
  template <int O, class Sums>
  WEFT_INLINE static void finish_row(Sums& sums, std::intptr_t const* at, extent count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction != op::stop_gradient)
      results::template put<O>(at[o.place], sums.template of<O>().finish(count));
  }
};

} // namespace cpu
} // namespace weft::inline v0
