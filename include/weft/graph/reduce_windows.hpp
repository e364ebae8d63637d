// SPDX-License-Identifier: BSL-1.0
// Windows that slide along axes of an array, each of them reduced: where they stand (pool_plan), and
// the nodes. Axes are numbers; all others may have names.
// Needs: a plan without fault, of axes in ascending order. Leaves: a view (graph/window_list.hpp)
// that the reduction reads through; windows that tile their axes are a reshape, whose derivative adds
// nothing up. What pads an array copies it.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/graph/interpret_reduce.hpp>
#include <weft/graph/window_options.hpp>

namespace weft::inline v0 {
namespace detail {

enum class pool_fault : std::uint8_t {
  sound,
  letters,
  roles,
  spatial,
  rank,
  named,
  numbers,
  window
};

struct pool_axis {
  int axis = 0;
  extent size = 1, stride = 1, dilation = 1, places = 0;
  axis_pads padding;

  constexpr extent reach() const { return dilated(size, dilation); }
};
struct pool_plan {
  pool_fault fault = pool_fault::sound;
  int count = 0;
  pool_axis at[max_rank]{};
  extents result;

  constexpr pool_plan or_fault(bool bad, pool_fault f) const {
    pool_plan p = *this;
    if (bad && fault == pool_fault::sound) p.fault = f;
    return p;
  }
};

// The element that changes nothing.
constexpr extent neutral_bits(op reduction, dtype d) {
  if (reduction == op::reduce_max) return static_cast<extent>(lowest_word(d));
  if (reduction == op::reduce_min) return static_cast<extent>(highest_word(d));
  return 0;
}
constexpr handle padded_for(op reduction, handle x, pool_plan const& p) {
  int const rank = x.shape().rank;
  extent around[3 * max_rank]{};
  bool any = false;
  for (pool_axis const& a : view<pool_axis>(p.at, p.count)) {
    around[a.axis] = a.padding.low;
    around[rank + a.axis] = a.padding.high;
    any = any || a.padding.low != 0 || a.padding.high != 0;
  }
  if (!any) return x;
  handle const filler = constant_bits(*x.where, neutral_bits(reduction, x.type()), x.type(), {});
  return pad(x, filler, {around, 3 * rank});
}

// Do windows lie side by side, each element in one, from the first on?
constexpr bool tiles(view<pool_axis> axes) {
  for (pool_axis const& a : axes)
    if (a.stride != a.size || (a.dilation != 1 && a.size != 1)) return false;
  return true;
}
constexpr handle with_last_axes_swapped(handle x) {
  int const rank = x.shape().rank;
  growing<extent> order;
  for (int i = 0; i < rank - 2; ++i) order.push(i);
  order.push(rank - 1);
  order.push(rank - 2);
  return transpose(x, order);
}
// Reduced axes stand before the last one that is kept: kernels then run along that, and neighbours
// are reduced side by side. The order in which a result's elements are taken is the same.
constexpr handle reduce_tiles(op reduction, handle x, view<pool_axis> axes) {
  extents split;
  extent set = 0;
  for (int i = 0, k = 0; i < x.shape().rank; ++i) {
    bool const walked = k < axes.size() && axes[k].axis == i;
    if (walked) x = slice_axis(x, i, 0, axes[k].places * axes[k].size);
    split.push(walked ? axes[k].places : x.shape()[i]);
    if (!walked) continue;
    set |= extent{1} << split.rank;
    split.push(axes[k++].size);
  }
  x = reshape(x, split);
  int const last = split.rank - 1;
  if (!has_axis(set, last)) return reduce(reduction, x, set);
  set ^= extent{3} << (last - 1);
  return reduce(reduction, with_last_axes_swapped(x), set);
}
constexpr handle reduce_windows(op reduction, handle x, view<pool_axis> axes) {
  growing<extent> lists;
  for (pool_axis const& a : axes) lists.push(a.axis);
  for (pool_axis const& a : axes) lists.push(a.size);
  for (pool_axis const& a : axes) lists.push(a.stride);
  for (pool_axis const& a : axes) lists.push(a.dilation);
  int const last = x.shape().rank - 1;
  handle windows = window(x, lists);
  growing<extent> order;
  for (int i = 0; i < last; ++i) order.push(i);
  for (int w = 0; w < axes.size(); ++w) order.push(last + 1 + w);
  order.push(last);
  extent const set = ((extent{1} << axes.size()) - 1) << last;
  return reduce(reduction, transpose(windows, order), set);
}
// Windows that an array of 8 axes has no room for are reduced in steps, the first axes first.
constexpr handle reduce_pool(op reduction, handle x, pool_plan const& p) {
  x = padded_for(reduction, x, p);
  int const room = max_rank - x.shape().rank;
  for (int first = 0; first < p.count; first += room) {
    int const left = p.count - first;
    view<pool_axis> const some(p.at + first, left < room ? left : room);
    x = tiles(some) ? reduce_tiles(reduction, x, some) : reduce_windows(reduction, x, some);
  }
  return x;
}

} // namespace detail
} // namespace weft::inline v0
