// SPDX-License-Identifier: BSL-1.0
// What one level of a prefix scan reads (lang/associative_scan.hpp): the elements `by` places away,
// and where there are some.
// Needs: handle_gather.hpp. Leaves: nodes where handle.hpp's go.
#pragma once

#include <weft/graph/handle_gather.hpp>

namespace weft::inline v0 {
namespace detail {

// Element i - by (reverse: i + by) at i; where there is none, any other.
constexpr handle shifted(handle y, int axis, extent by, bool reverse) {
  extent const rest = y.shape()[axis] - by;
  handle const parts[] = {slice_axis(y, axis, reverse ? by : 0, reverse ? rest : by),
                          slice_axis(y, axis, reverse ? rest : 0, reverse ? by : rest)};
  return concat({parts, 2}, axis);
}
constexpr handle shifted(handle y, int axis, handle by, bool reverse) {
  extents const line{1, {y.shape()[axis]}};
  handle const index = iota(*by.where, dtype::i32, line, 0), step = broadcast_to(by, line);
  return gather(y, reverse ? index + step : index - step, taking(y.shape(), axis, 1));
}
// Is there an element i - by?
constexpr handle reached(extents const& shape, int axis, handle by, handle length, bool reverse) {
  handle const index = iota(*by.where, dtype::i32, shape, axis), step = broadcast_to(by, shape);
  if (!reverse) return unary(op::bit_not, less(index, step));
  return less(index + step, broadcast_to(length, shape));
}

} // namespace detail
} // namespace weft::inline v0
