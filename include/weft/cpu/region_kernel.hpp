// SPDX-License-Identifier: BSL-1.0
// region_kernel: the loops of one fused group. Three forms (pass/lower.hpp): plain elementwise;
// rows, where the inner axis is reduced; columns, where it is kept and the reduced axes run inside
// strips.
// Needs: a loop nest of this kernel or of one with the same code. Leaves: results do not depend on how
// the work is cut, on the target's width, or on the number of threads.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/fixed_nest.hpp>
#include <weft/cpu/odometer.hpp>
#include <weft/cpu/reduce.hpp>

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
    nest_loops<Target> const l{w.loops};
    work_range const part = w.part;
    std::intptr_t at[place_count]{};
    for (int p = 0; p < self.place_count; ++p) at[p] = w.places[p];
    odometer<Target> outer(w.loops, w.loops.outer, at);
    if (part.outer_begin > 0) outer.seek(part.outer_begin);
    for (extent o = part.outer_begin; o < part.outer_end; ++o, outer.next()) once(l, at, part);
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
    else columns(l, at, part, outputs{});
  }

  // elementwise ---------------------------------------------------------------------------------
  template <class Loops>
  WEFT_INLINE static void line(Loops const& l, std::intptr_t const* at, work_range part) {
    cursor const c{at, l.inner_steps()};
    if constexpr (Loops::longest_line <= width)
      return one_pack<Loops::longest_line>(c, 0, Loops::longest_line, outputs{});
    else return long_line(typename code::line(c), part);
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
  WEFT_INLINE static int least(extent a, extent b) { return static_cast<int>(a < b ? a : b); }

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
  struct nothing {};
  template <int O> static constexpr auto row_sum() {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) return std::type_identity<nothing>{};
    else return std::type_identity<row_accumulator<Target, o.reduction, storage_of<o.type>>>{};
  }
  template <int O> struct row_slot {
    typename decltype(row_sum<O>())::type sum;
  };
  template <int... O> struct row_slots : row_slot<O>... {};

  template <class Loops, int... O>
  WEFT_INLINE static void rows(Loops const& l, std::intptr_t* at,
                               std::integer_sequence<int, O...> all) {
    if constexpr (by_rounds() && Loops::longest_line > width)
      if (l.is_one_line()) return one_line(l, at, all);
    row_slots<O...> sums;
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
  // A short list of instructions takes 64 elements a turn, the lanes of its sums in registers.
  static constexpr bool by_rounds() {
    int held = 0; // registers
    for (int o = 0; o < self.output_count; ++o)
      if (code::output_at(o).reduction != op::stop_gradient)
        held += sum_lanes / width * (is_wide(code::output_at(o).type) ? 2 : 1);
    return width >= 8 && held <= (width == 16 ? 16 : 8) && self.instruction_count <= 8 &&
           code::use == packs::whole_first;
  }
  template <int O> static constexpr auto find_held() {
    using sum = typename decltype(row_sum<O>())::type;
    if constexpr (std::is_same_v<sum, nothing>) return std::type_identity<nothing>{};
    else return std::type_identity<typename sum::held_lanes>{};
  }
  template <int O> struct held_slot {
    typename decltype(find_held<O>())::type lanes;
  };
  template <int... O> struct held_slots : held_slot<O>... {};

  // A row that is one line.
  template <class Loops, int... O>
  WEFT_INLINE static void one_line(Loops const& l, std::intptr_t* at,
                                   std::integer_sequence<int, O...> all) {
    typename code::line const c(cursor{at, l.inner_steps()});
    extent const length = l.inner_length();
    if (length > 0 && length < sum_block && length % sum_lanes == 0) {
      held_slots<O...> held{};
      (start_held<O>(held), ...);
      for (extent i = 0; i < length; i += sum_lanes) round(c, i, held);
      return (finish_held<O>(held, at), ...);
    }
    row_slots<O...> sums;
    for (extent i = 0; i < length;) { // block by block
      extent const count = length - i < sum_block ? length - i : sum_block;
      extent const whole = count / sum_lanes * sum_lanes;
      held_slots<O...> held{};
      (start_held<O>(held), ...);
      for (extent const end = i + whole; i < end; i += sum_lanes) round(c, i, held);
      (put_held<O>(sums, held), ...);
      for (extent const end = i + count - whole; i < end; i += width)
        row_pack(c, i, i, least(end - i, width), sums, all);
      i = least_of(i, length);
      (close<O>(sums, i), ...);
    }
    (finish_row<O>(sums, at, length), ...);
  }
  static constexpr extent least_of(extent a, extent b) { return a < b ? a : b; }
  template <int O, class Held> WEFT_INLINE static void start_held(Held& held) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      static_cast<held_slot<O>&>(held).lanes.clear();
  }
  template <int O, class Sums, class Held>
  WEFT_INLINE static void put_held(Sums& sums, Held const& held) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      static_cast<row_slot<O>&>(sums).sum.begin_with(static_cast<held_slot<O> const&>(held).lanes);
  }
  template <int O, class Held>
  WEFT_INLINE static void finish_held(Held const& held, std::intptr_t const* at) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction != op::stop_gradient) {
      using T = storage_of<o.type>;
      auto const total = static_cast<held_slot<O> const&>(held).lanes.total();
      *reinterpret_cast<T*>(at[o.place]) = static_cast<T>(total);
    }
  }
  template <class Line, class Held>
  WEFT_INLINE static void round(Line const& c, extent i, Held& held) {
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (round_packs<2 * P>(c, i + 2 * P * width, held, outputs{}), ...);
    }(std::make_integer_sequence<int, sum_lanes / width / 2>{});
  }
  // Packs P and P + 1 of a round.
  template <int P, class Line, class Held, int... O>
  WEFT_INLINE static void round_packs(Line const& c, extent i, Held& held,
                                      std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<code::whole>(r, q, c, i, 2 * width, instructions{});
    (take_round<O, P>(held, r, c, i), ...);
    (take_round<O, P + 1>(held, q, c, i + width), ...);
  }
  template <int O, int P, class Held>
  WEFT_INLINE static void take_round(Held& held, registers const& r, cursor const& c, extent i) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient)
      code::template put<O, code::whole>(r, c, i, width);
    else {
      auto& lane = static_cast<held_slot<O>&>(held).lanes.of[P];
      lane = row<o.reduction>::meaning(lane, r.template as<pack_of<o.type, Target>>(o.source));
    }
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
      auto& sum = static_cast<row_slot<O>&>(sums).sum;
      if constexpr (Count == code::whole) sum.add(e, value);
      else sum.add_some(e, count, value);
    }
  }
  template <int O, class Sums> WEFT_INLINE static void close(Sums& sums, extent e) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      static_cast<row_slot<O>&>(sums).sum.close_block(e);
  }
  template <int O, class Sums>
  WEFT_INLINE static void finish_row(Sums& sums, std::intptr_t const* at, extent count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction != op::stop_gradient) {
      using T = storage_of<o.type>;
      auto total = static_cast<row_slot<O>&>(sums).sum.finish(count);
      *reinterpret_cast<T*>(at[o.place]) = static_cast<T>(total);
    }
  }

  // columns -------------------------------------------------------------------------------------
  // A strip is 64 columns wide: rows are far apart, and nothing fetches the next one ahead.
  static constexpr int pairs = 32 / width;
  static constexpr extent strip_width = 2 * pairs * width;
  template <int O> static constexpr auto column_sum() {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) return std::type_identity<nothing>{};
    else
      return std::type_identity<
          column_accumulator<Target, o.reduction, storage_of<o.type>, 2 * pairs>>{};
  }
  template <int O> struct column_slot {
    typename decltype(column_sum<O>())::type sum;
  };
  template <int... O> struct column_slots : column_slot<O>... {};

  template <class Loops, int... O>
  WEFT_INLINE static void columns(Loops const& l, std::intptr_t* at, work_range part,
                                  std::integer_sequence<int, O...> all) {
    for (extent i = part.inner_begin; i < part.inner_end; i += strip_width)
      strip(l, at, i, least(part.inner_end - i, strip_width), all);
  }
  template <class Loops, int... O>
  WEFT_INLINE static void strip(Loops const& l, std::intptr_t* at, extent i, int count,
                                std::integer_sequence<int, O...>) {
    column_slots<O...> sums;
    int const groups = column_groups<Target>(count);
    extent e = 0;
    l.each_reduced(at, 1, [&]() WEFT_LAMBDA {
      cursor const c{at, l.inner_steps()};
      auto const take = [&](bool is_first)
                            WEFT_LAMBDA { row_of_strip<O...>(sums, c, i, count, e, is_first); };
      if constexpr (Loops::most_reduced <= sum_lanes) take(true);
      else if constexpr (code::use == packs::two_of_any_count) take(e < sum_lanes);
      else if (e < sum_lanes) take(true); // a short list is compiled twice: nobody asks in its loop
      else take(false);
      (close_column<O>(sums, e, groups), ...);
      ++e;
    });
    (finish_columns<O>(sums, at, i, l.reduced_count(), count), ...);
  }
  // Element e of the reduced axes; is_first: it is one of the first 64.
  template <int... O, class Sums>
  WEFT_INLINE static void row_of_strip(Sums& sums, cursor const& c, extent i, int count, extent e,
                                       bool is_first) {
    for (int p = 0; 2 * p * width < count; ++p) {
      extent const here = i + 2 * p * width;
      int const some = least(count - 2 * p * width, 2 * width), first = code::first_of(some);
      registers r, q;
      code::template evaluate_two<code::any_count>(r, q, c, here, some, instructions{});
      (take_column<O>(sums, r, c, here, 2 * p, e, is_first, first), ...);
      (take_column<O>(sums, q, c, here + width, 2 * p + 1, e, is_first, some - first), ...);
    }
  }
  template <int O, class Sums>
  WEFT_INLINE static void take_column(Sums& sums, registers const& r, cursor const& c, extent i,
                                      int column, extent e, bool is_first, int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient)
      code::template put<O, code::any_count>(r, c, i, count);
    else {
      auto const value = r.template as<pack_of<o.type, Target>>(o.source);
      static_cast<column_slot<O>&>(sums).sum.add(e, column, value, is_first);
    }
  }
  template <int O, class Sums>
  WEFT_INLINE static void close_column(Sums& sums, extent e, int groups) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      static_cast<column_slot<O>&>(sums).sum.close_block(e, groups);
  }
  template <int O, class Sums>
  WEFT_INLINE static void finish_columns(Sums& sums, std::intptr_t const* at, extent i,
                                         extent total, int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction != op::stop_gradient) {
      auto& sum = static_cast<column_slot<O>&>(sums).sum;
      auto* const to = reinterpret_cast<storage_of<o.type>*>(at[o.place]) + i;
      sum.finish(total, column_groups<Target>(count));
      for (int k = 0; k * width < count; ++k)
        store_first(to + k * width, sum.result(k), least(count - k * width, width));
    }
  }
};

} // namespace cpu
} // namespace weft::inline v0
