// SPDX-License-Identifier: BSL-1.0
// Which steps of a product's tile may be left out: those that multiply zeros around an array
// (padding_steps, pass/product.hpp). Finite factors make them +0 or -0. First ones: a chain begins at
// +0, which stays +0. Last ones: a sum stays as it is, unless it is -0; then they are computed after
// all. The factors of some columns are finite if the sums of one row over all steps are.
// Needs: a block of steps in runs. Leaves: the runs that a tile takes.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/pass/product.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

// Of the first `packs` packs; lanes beyond a tile's columns may answer no.
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
// Of the first `packs` packs of each row; lanes beyond a tile's columns may answer yes.
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

enum class finiteness { unknown, finite, not_finite };

struct padding_runs {
  bool any = false;                         // in the block of rows and steps in hand
  finiteness factors = finiteness::unknown; // of the columns in hand
  int first = 0, last = 0;                  // of the tile in hand: the runs that it takes
  extent before = 0, until = 0;             // steps before them, and with them

  constexpr bool leaves_out(int run_count) const { return first > 0 || last < run_count; }
  // For the rows [row, row + rows) of a tile; its runs begin at step `begin`.
  constexpr void narrow(padding_steps const& p, extent row, extent rows, step_run const* runs,
                        int run_count, extent begin) {
    extent from = -1, to = 0;
    extent const end = (row + rows - 1) / p.rows_each;
    for (extent place = row / p.rows_each; place <= end; ++place) {
      padding_steps::range const reads = p.steps_of(place % p.places);
      from = from < 0 || reads.first < from ? reads.first : from;
      to = reads.last > to ? reads.last : to;
    }
    first = last = 0;
    before = until = 0;
    extent at = 0;
    for (int r = 0; r < run_count; ++r) {
      extent const next = at + runs[r].count;
      if (begin + next <= from) first = last = r + 1, before = until = next;
      if (begin + at < to) last = r + 1, until = next;
      at = next;
    }
  }
};

} // namespace detail
} // namespace weft::inline v0
