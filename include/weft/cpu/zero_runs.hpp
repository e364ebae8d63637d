// SPDX-License-Identifier: BSL-1.0
// Steps of a product that multiply the zeros around an array (zero_steps, pass/product.hpp) and leave
// every sum as it is: where their factors are finite, and the sum is not -0. A chain begins at +0 and
// stays there over its first ones; its last ones make +0 of a -0, unless all of them are -0.
// Factors are finite where a sum is that took all of them, of any row.
// Needs: a block of steps in runs. Leaves: which runs a tile has to take.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/pass/product.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Target, class T> WEFT_INLINE bool are_finite(T const* sums, int packs) {
  if constexpr (std::is_integral_v<T>) return true;
  else {
    using pack = cpu::pack_for<Target, T>;
    pack none(T{}); // a number times 0 is 0, else NaN
    for (int j = 0; j < packs; ++j)
      none = fma(cpu::load<Target>(sums + j * Target::lanes), pack(T{}), none);
    return !any(!(none == pack(T{})));
  }
}
template <class Target, class T>
WEFT_NOINLINE bool have_negative_zero(T const* const* rows, int height, int packs) {
  if constexpr (std::is_integral_v<T>) return false;
  else {
    using pack = cpu::pack_for<Target, T>;
    auto const negative = bits(pack(-T{}));
    auto found = negative == bits(pack(T{}));
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < packs; ++j)
        found = found | (bits(cpu::load<Target>(rows[i] + j * Target::lanes)) == negative);
    return any(found);
  }
}

struct zero_runs {
  bool some = false; // does a row in hand have such steps?
  enum {
    unknown,
    finite,
    not_finite
  } // factors of the columns in hand
  factors = unknown;
  int first = 0, last = 0;      // of the tile in hand: the runs that are taken
  extent before = 0, until = 0; // steps before them, and with them

  // Of the block's steps [begin, begin + count).
  static bool are_in(zero_steps const& z, extent row, extent rows, extent begin, extent count) {
    if (z.taps == 0) return false;
    bool found = false;
    each_place(z, row, rows, [&](zero_steps::range const& reads) {
      found |= reads.first > begin || reads.last < begin + count;
    });
    return found;
  }
  bool is_less(int run_count) const { return first > 0 || last < run_count; }
  // Of a tile's rows; its runs begin at step `begin`.
  void narrow(zero_steps const& z, extent row, extent rows, step_run const* runs, int run_count,
              extent begin) {
    extent from = -1, to = 0;
    each_place(z, row, rows, [&](zero_steps::range const& reads) {
      from = from < 0 || reads.first < from ? reads.first : from;
      to = reads.last > to ? reads.last : to;
    });
    first = last = 0;
    before = until = 0;
    extent at = 0;
    for (int r = 0; r < run_count; ++r) {
      extent const next = at + runs[r].count;
      if (begin + next <= from) first = r + 1, before = next;
      if (begin + at < to) last = r + 1, until = next;
      at = next;
    }
    if (last < first) last = first, until = before;
  }

private:
  template <class Function>
  static void each_place(zero_steps const& z, extent row, extent rows, Function const& f) {
    extent const last = (row + rows - 1) / z.rows_each;
    for (extent at = row / z.rows_each; at <= last; ++at) f(z.steps_of(at % z.places));
  }
};

} // namespace detail
} // namespace weft::inline v0
