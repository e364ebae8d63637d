// SPDX-License-Identifier: BSL-1.0
// Static choices along one axis, for both doors' movement functions: add_runs(parts, x, axis,
// indices) adds the elements of x at these places along the axis, as few parts to be joined.
// Needs: indices inside a static extent. Leaves: runs of evenly spaced indices are one slice each
// (reversed where they fall), runs of one index a broadcast.
#pragma once

#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

// Indices first, first + step, ... (count of them).
struct index_run {
  extent first = 0, step = 1, count = 0;
};

constexpr growing<index_run> runs_of(view<extent> indices) {
  growing<index_run> runs;
  for (int i = 0; i < indices.size();) {
    index_run r{indices[i], 1, 1};
    if (i + 1 < indices.size()) r.step = indices[i + 1] - indices[i];
    while (i + r.count < indices.size() &&
           indices[i + static_cast<int>(r.count)] == r.first + r.count * r.step)
      ++r.count;
    // Two uneven neighbours are no run: the second may start a longer one.
    if (r.count == 2 && r.step != 1 && r.step != -1 && r.step != 0) r = {r.first, 1, 1};
    if (r.count == 1) r.step = 1;
    runs.push(r);
    i += static_cast<int>(r.count);
  }
  return runs;
}

constexpr handle take_run(handle x, int axis, index_run const& r) {
  extents to = x.shape();
  to[axis] = r.count;
  if (r.step == 0) {
    extent map[max_rank]{};
    for (int i = 0; i < to.rank; ++i) map[i] = i;
    return broadcast(slice_axis(x, axis, r.first, 1), to, {map, to.rank});
  }
  extent attributes[3 * max_rank]{};
  extent const distance = r.step < 0 ? -r.step : r.step, last = r.first + (r.count - 1) * r.step;
  for (int i = 0; i < to.rank; ++i) {
    attributes[to.rank + i] = x.shape()[i];
    attributes[2 * to.rank + i] = 1;
  }
  attributes[axis] = r.step < 0 ? last : r.first;
  attributes[to.rank + axis] = (r.step < 0 ? r.first : last) + 1;
  attributes[2 * to.rank + axis] = distance;
  return reverse(slice(x, {attributes, 3 * to.rank}), r.step < 0 ? extent{1} << axis : 0);
}
constexpr void add_runs(growing<handle>& parts, handle x, int axis, view<extent> indices) {
  for (index_run const& r : runs_of(indices)) parts.push(take_run(x, axis, r));
}

} // namespace detail
} // namespace weft::inline v0
