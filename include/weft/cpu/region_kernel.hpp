// SPDX-License-Identifier: BSL-1.0
// region_kernel: the loops of one fused group. Three forms (pass/lower.hpp): plain elementwise;
// rows, where the inner axis is reduced; columns, where it is kept and the reduced axes run inside
// strips.
// Needs: a loop nest of this kernel or of one with the same code. Leaves: results do not depend on how
// the work is cut, on the target's width, or on the number of threads.
#pragma once

#include <weft/cpu/elementwise.hpp>
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
  WEFT_NOINLINE static void run(work const& w) {
    loop_nest const& l = w.loops;
    work_range const part = w.part;
    std::intptr_t at[place_count]{};
    for (int p = 0; p < self.place_count; ++p) at[p] = w.places[p];
    odometer<Target> outer(l, l.outer, at);
    if (part.outer_begin > 0) outer.seek(part.outer_begin);
    for (extent o = part.outer_begin; o < part.outer_end; ++o, outer.next()) {
      if constexpr (self.form == loop_form::elementwise) line(l, at, part);
      else if constexpr (self.form == loop_form::rows) rows(l, at, outputs{});
      else columns(l, at, part, outputs{});
    }
  }

  // All Length elements of an elementwise group without loops around it.
  template <extent Length> WEFT_NOINLINE static void whole(work const& w) {
    line(w.loops, w.places, {0, 1, 0, Length});
  }

private:
  // elementwise ---------------------------------------------------------------------------------
  WEFT_INLINE static void line(loop_nest const& l, std::intptr_t const* at, work_range part) {
    cursor const c{at, l.steps(l.inner)};
    extent i = part.inner_begin;
    if constexpr (code::use == packs::whole_first)
      for (; i + 2 * width <= part.inner_end; i += 2 * width)
        two_packs<true>(c, i, 2 * width, outputs{});
    if constexpr (code::use == packs::two_of_any_count)
      for (; i < part.inner_end; i += 2 * width)
        two_packs<false>(c, i, least(part.inner_end - i, 2 * width), outputs{});
    else
      for (; i < part.inner_end; i += width)
        one_pack(c, i, least(part.inner_end - i, width), outputs{});
  }
  WEFT_INLINE static int least(extent a, extent b) { return static_cast<int>(a < b ? a : b); }

  template <int... O>
  WEFT_INLINE static void one_pack(cursor const& c, extent i, int count,
                                   std::integer_sequence<int, O...>) {
    registers r;
    code::template evaluate<false>(r, c, i, count, instructions{});
    (code::template put<O, false>(r, c, i, count), ...);
  }

  template <bool Whole, int... O>
  WEFT_INLINE static void two_packs(cursor const& c, extent i, int count,
                                    std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<Whole>(r, q, c, i, count, instructions{});
    int const first = code::first_of(count);
    (code::template put<O, Whole>(r, c, i, first), ...);
    (code::template put<O, Whole>(q, c, i + width, count - first), ...);
  }

  // rows ----------------------------------------------------------------------------------------
  struct nothing {
    nothing() = default;
    explicit nothing(extent) {}
  };
  template <int O> static constexpr auto row_sum() {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) return std::type_identity<nothing>{};
    else return std::type_identity<row_accumulator<Target, o.reduction, storage_of<o.type>>>{};
  }
  template <int O> struct row_slot {
    typename decltype(row_sum<O>())::type sum;
  };
  template <int... O> struct row_slots : row_slot<O>... {};

  template <int... O>
  WEFT_INLINE static void rows(loop_nest const& l, std::intptr_t* at,
                               std::integer_sequence<int, O...> all) {
    row_slots<O...> sums;
    odometer<Target> reduced(l, l.reduced, at);
    extent lines = l.inner.length == 0 ? 0 : l.reduced_count / l.inner.length;
    extent e = 0; // elements taken so far
    for (extent n = 0; n < lines; ++n, reduced.next()) {
      cursor const c{at, l.steps(l.inner)};
      for (extent i = 0; i < l.inner.length;) {
        extent to_block_end = sum_block - e % sum_block;
        extent count = l.inner.length - i < to_block_end ? l.inner.length - i : to_block_end;
        row_piece(c, i, count, e, sums, all);
        i += count;
        e += count;
        (close<O>(sums, e), ...);
      }
    }
    (finish_row<O>(sums, at, l.reduced_count), ...);
  }
  // Elements i … i + count - 1 of the inner axis are elements e … of the reduction, in one block.
  template <class Sums, int... O>
  WEFT_INLINE static void row_piece(cursor const& c, extent i, extent count, extent e, Sums& sums,
                                    std::integer_sequence<int, O...>) {
    extent done = 0;
    if constexpr (code::use == packs::whole_first)
      if (e % width == 0)
        for (; done + 2 * width <= count; done += 2 * width)
          row_packs<true>(c, i + done, e + done, 2 * width, sums, outputs{});
    if constexpr (code::use == packs::two_of_any_count)
      for (; done < count; done += 2 * width)
        row_packs<false>(c, i + done, e + done, least(count - done, 2 * width), sums, outputs{});
    else
      for (; done < count; done += width)
        row_pack(c, i + done, e + done, least(count - done, width), sums, outputs{});
  }
  template <class Sums, int... O>
  WEFT_INLINE static void row_pack(cursor const& c, extent i, extent e, int count, Sums& sums,
                                   std::integer_sequence<int, O...>) {
    registers r;
    code::template evaluate<false>(r, c, i, count, instructions{});
    (take<O, false>(sums, r, c, i, e, count), ...);
  }
  template <bool Whole, class Sums, int... O>
  WEFT_INLINE static void row_packs(cursor const& c, extent i, extent e, int count, Sums& sums,
                                    std::integer_sequence<int, O...>) {
    registers r, q;
    code::template evaluate_two<Whole>(r, q, c, i, count, instructions{});
    int const first = code::first_of(count);
    (take<O, Whole>(sums, r, c, i, e, first), ...);
    (take<O, Whole>(sums, q, c, i + width, e + width, count - first), ...);
  }
  template <int O, bool Whole, class Sums>
  WEFT_INLINE static void take(Sums& sums, registers const& r, cursor const& c, extent i, extent e,
                               int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) code::template put<O, Whole>(r, c, i, count);
    else {
      auto value = r.template as<pack_of<o.type, Target>>(o.source);
      auto& sum = static_cast<row_slot<O>&>(sums).sum;
      if constexpr (Whole) sum.add(e, value);
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
  // A strip is several packs wide: rows are far apart, and nothing fetches the next one ahead.
  static constexpr int pairs = 2;
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
    explicit column_slot(extent count) : sum(count) {}
  };
  template <int... O> struct column_slots : column_slot<O>... {
    explicit column_slots(extent count) : column_slot<O>(count)... {}
  };

  template <int... O>
  WEFT_INLINE static void columns(loop_nest const& l, std::intptr_t* at, work_range part,
                                  std::integer_sequence<int, O...> all) {
    for (extent i = part.inner_begin; i < part.inner_end; i += strip_width)
      strip(l, at, i, least(part.inner_end - i, strip_width), all);
  }
  template <int... O>
  WEFT_INLINE static void strip(loop_nest const& l, std::intptr_t* at, extent i, int count,
                                std::integer_sequence<int, O...>) {
    column_slots<O...> sums(l.reduced_count);
    odometer<Target> reduced(l, l.reduced, at);
    for (extent e = 0; e < l.reduced_count; ++e, reduced.next()) {
      cursor const c{at, l.steps(l.inner)};
      for (int p = 0; 2 * p * width < count; ++p) {
        extent const here = i + 2 * p * width;
        int const some = least(count - 2 * p * width, 2 * width), first = code::first_of(some);
        registers r, q;
        code::template evaluate_two<false>(r, q, c, here, some, instructions{});
        (take_column<O>(sums, r, c, here, 2 * p, e, first), ...);
        (take_column<O>(sums, q, c, here + width, 2 * p + 1, e, some - first), ...);
      }
      (close_column<O>(sums, e), ...);
    }
    for (int k = 0; k < 2 * pairs; ++k) {
      int const left = least(count - k * width, width);
      (finish_column<O>(sums, at, i + k * width, k, l.reduced_count, left < 0 ? 0 : left), ...);
    }
  }
  template <int O, class Sums>
  WEFT_INLINE static void take_column(Sums& sums, registers const& r, cursor const& c, extent i,
                                      int column, extent e, int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction == op::stop_gradient) code::template put<O, false>(r, c, i, count);
    else
      static_cast<column_slot<O>&>(sums).sum.add(e, column,
                                                 r.template as<pack_of<o.type, Target>>(o.source));
  }
  template <int O, class Sums> WEFT_INLINE static void close_column(Sums& sums, extent e) {
    if constexpr (code::output_at(O).reduction != op::stop_gradient)
      static_cast<column_slot<O>&>(sums).sum.close_block(e);
  }
  template <int O, class Sums>
  WEFT_INLINE static void finish_column(Sums& sums, std::intptr_t const* at, extent i, int column,
                                        extent total, int count) {
    constexpr output o = code::output_at(O);
    if constexpr (o.reduction != op::stop_gradient) {
      using T = storage_of<o.type>;
      auto value = static_cast<column_slot<O>&>(sums).sum.finish(total, column);
      store_first(reinterpret_cast<T*>(at[o.place]) + i, value, count);
    }
  }
};

} // namespace cpu
} // namespace weft::inline v0
