// SPDX-License-Identifier: BSL-1.0
// The interpreter's movement ops: every result element names the operand element that it is.
// Needs: attributes that verify accepts, shapes that are numbers. Leaves: words are copied as they
// are. Run-time starts are clamped so that the window fits.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/attributes.hpp>
#include <weft/graph/dense.hpp>

namespace weft::inline v0 {
namespace detail {

// result[p] = x[source(p)]
template <class Source>
constexpr dense read_through(dense const& x, extents const& shape, Source const& source) {
  dense result(x.type, shape);
  for (int i = 0; i < result.size(); ++i)
    result[i] = x[offset_of(source(position_of(i, shape)), x.shape)];
  return result;
}
// into[target(p)] = x[p], where target(p) is inside.
template <class Target>
constexpr void write_through(dense& into, dense const& x, Target const& target) {
  for (int i = 0; i < x.size(); ++i) {
    position const p = target(position_of(i, x.shape));
    bool inside = true;
    for (int axis = 0; axis < p.rank; ++axis) inside &= 0 <= p[axis] && p[axis] < into.shape[axis];
    if (inside) into[offset_of(p, into.shape)] = x[i];
  }
}

// source[i] = p[map[i]], or 0 where the operand has the one element that is repeated
constexpr dense broadcast_dense(dense const& x, extents const& shape, view<extent> map) {
  return read_through(x, shape, [&](position const& p) {
    position source = x.shape;
    for (int i = 0; i < source.rank; ++i)
      source[i] = x.shape[i] == 1 ? 0 : p[static_cast<int>(map[i])];
    return source;
  });
}
constexpr dense reshape_dense(dense const& x, extents const& shape) {
  dense result = x;
  result.shape = shape;
  return result;
}
// source[permutation[i]] = p[i]
constexpr dense transpose_dense(dense const& x, extents const& shape, view<extent> permutation) {
  return read_through(x, shape, [&](position const& p) {
    position source = p;
    for (int i = 0; i < p.rank; ++i) source[static_cast<int>(permutation[i])] = p[i];
    return source;
  });
}
// source[i] = start[i] + p[i] * stride[i]
constexpr dense slice_dense(dense const& x, extents const& shape, view<extent> attributes) {
  return read_through(x, shape, [&](position const& p) {
    position source = p;
    for (int i = 0; i < p.rank; ++i) source[i] = attributes[i] + p[i] * attributes[2 * p.rank + i];
    return source;
  });
}
constexpr dense reverse_dense(dense const& x, extent axes) {
  return read_through(x, x.shape, [&](position const& p) {
    position source = p;
    for (int i = 0; i < p.rank; ++i)
      if (has_axis(axes, i)) source[i] = x.shape[i] - 1 - p[i];
    return source;
  });
}
// target[i] = low[i] + p[i] * (interior[i] + 1)
constexpr dense pad_dense(dense const& x, word filler, extents const& shape,
                          view<extent> attributes) {
  dense result(x.type, shape, filler);
  write_through(result, x, [&](position const& p) {
    position target = p;
    for (int i = 0; i < p.rank; ++i)
      target[i] = attributes[i] + p[i] * (attributes[2 * p.rank + i] + 1);
    return target;
  });
  return result;
}
// Writes x from `start` on along the axis; returns where the next part starts.
constexpr extent place_part(dense& into, dense const& x, int axis, extent start) {
  write_through(into, x, [&](position p) {
    p[axis] += start;
    return p;
  });
  return start + x.shape[axis];
}

// The start of a window of `length` in `whole` elements.
constexpr extent clamp_start(word start, extent length, extent whole) {
  extent const wanted = static_cast<std::int32_t>(start), last = whole - length;
  return wanted < 0 ? 0 : wanted > last ? last : wanted;
}
constexpr dense dynamic_slice_dense(dense const& x, extents const& window, view<word> starts) {
  return read_through(x, window, [&](position p) {
    for (int i = 0; i < p.rank; ++i) p[i] += clamp_start(starts[i], window[i], x.shape[i]);
    return p;
  });
}
constexpr dense dynamic_update_slice_dense(dense x, dense const& update, view<word> starts) {
  write_through(x, update, [&](position p) {
    for (int i = 0; i < p.rank; ++i) p[i] += clamp_start(starts[i], update.shape[i], x.shape[i]);
    return p;
  });
  return x;
}

} // namespace detail
} // namespace weft::inline v0
