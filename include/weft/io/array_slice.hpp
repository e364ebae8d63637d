// SPDX-License-Identifier: BSL-1.0
// array_slice: some of an array's places along each axis: what one rank has of an array that many
// share (io/slice_grid.hpp: how those of all ranks lie in it).
//   array_slice{{2, {8, 0}}, {2, {4, 6}}}     // rows 8 to 11, columns 0 to 5
// Leaves: plain values; each_run, the stretches of a slice that are in one piece in the whole.
#pragma once

#include <weft/core/extents.hpp>
namespace weft::inline v0 {

struct array_slice {
  extents first, shape;
};

namespace detail {

constexpr bool lies_in(array_slice const& s, extents const& whole) {
  if (s.first.rank != whole.rank || s.shape.rank != whole.rank) return false;
  for (int i = 0; i < whole.rank; ++i)
    if (s.first[i] < 0 || s.shape[i] < 0 || s.first[i] > whole[i] ||
        s.shape[i] > whole[i] - s.first[i])
      return false;
  return true;
}

// f(place in the whole, place in the slice, count), in elements, row-major, until it says false.
// Needs: a slice that lies in the whole.
template <class F> constexpr bool each_run(extents const& whole, array_slice const& s, F const& f) {
  int inner = whole.rank; // axes from here on are whole, and one more may be part of a run
  extent run = 1;
  while (inner > 0 && s.shape[inner - 1] == whole[inner - 1]) run *= whole[--inner];
  if (inner > 0) run *= s.shape[--inner];
  extents const steps = row_major_strides(whole);
  extent const count = count_of(s.shape);
  extents at = s.first; // of the run
  for (extent from = 0; from < count; from += run) {
    extent to = 0;
    for (int i = 0; i < whole.rank; ++i) to += at[i] * steps[i];
    if (!f(to, from, run)) return false;
    for (int i = inner - 1; i >= 0; --i) {
      if (++at[i] < s.first[i] + s.shape[i]) break;
      at[i] = s.first[i];
    }
  }
  return true;
}

} // namespace detail
} // namespace weft::inline v0
