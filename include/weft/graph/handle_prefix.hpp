// SPDX-License-Identifier: BSL-1.0
// What the levels of prefix scans read (lang/associative_scan.hpp, segments.hpp).
//   half_ends, in_upper_half   a level of a whole line: blocks of 2 by elements, counted in the scan's
//                              direction; the upper half of each takes the lower half's last element
//   shifted, reached           the element `by` places away, and is there one
// Needs: handle_gather.hpp; by < n. Leaves: nodes where handle.hpp's go.
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

// How many elements come before each, in the scan's direction.
constexpr handle places_along(extents const& shape, int axis, handle length, bool reverse) {
  recorder& r = *length.where;
  handle const index = iota(r, dtype::i32, shape, axis);
  if (!reverse) return index;
  return broadcast_to(length - constant(r, 1, dtype::i32, {}), shape) - index;
}
constexpr handle has_bit(handle place, handle bit) {
  extents const shape = place.shape();
  handle const both = binary(op::bit_and, dtype::i32, place, broadcast_to(bit, shape));
  return compare(op::not_equal, both, constant(*bit.where, 0, dtype::i32, shape));
}
constexpr handle in_upper_half(extents const& shape, int axis, handle by, handle length,
                               bool reverse) {
  return has_bit(places_along(shape, axis, length, reverse), by);
}
// The same of a length and distance in numbers. In reverse the number that i is taken from differs
// from n - 1 by blocks: no two levels have the same, or one of them would store it for the others.
constexpr handle in_upper_half(recorder& r, extents const& shape, int axis, extent by,
                               bool reverse) {
  auto const number = [&r](extent x) {
    return constant(r, static_cast<double>(x), dtype::i32, {});
  };
  handle const index = iota(r, dtype::i32, shape, axis);
  if (!reverse) return has_bit(index, number(by));
  extent const last = ((shape[axis] - 1) & (2 * by - 1)) + 2 * by;
  return has_bit(broadcast_to(number(last), shape) - index, number(by));
}
// At elements of an upper half the end of the lower one; at others any element.
constexpr handle half_ends(handle y, int axis, handle by, handle length, bool reverse) {
  extents const line{1, {y.shape()[axis]}};
  handle const place = places_along(line, 0, length, reverse);
  handle const end = binary(op::bit_and, dtype::i32, place, broadcast_to(-by, line));
  handle const at = reverse ? broadcast_to(length, line) - end
                            : end - constant(*by.where, 1, dtype::i32, line);
  return gather(y, at, taking(y.shape(), axis, 1));
}
// The same of a length and distance in numbers: the ends, each as often as its block is long.
constexpr handle half_ends(handle y, int axis, extent by, bool reverse) {
  extents const shape = y.shape();
  extent const n = shape[axis], each = 2 * by, blocks = (n + each - 1) / each;
  extent const ends = (n + by) / each; // the last block may have no upper half
  recorder& r = *y.where;
  if (shape.rank == max_rank) {
    auto const number = [&r](extent x) {
      return constant(r, static_cast<double>(x), dtype::i32, {});
    };
    return half_ends(y, axis, number(by), number(n), reverse);
  }
  extent taken[3 * max_rank]{}, map[max_rank]{};
  extents spread, merged = shape;
  for (int i = 0; i < shape.rank; ++i) {
    taken[shape.rank + i] = shape[i];
    taken[2 * shape.rank + i] = 1;
    map[i] = i <= axis ? i : i + 1;
    spread.push(i == axis ? blocks : shape[i]);
    if (i == axis) spread.push(each);
  }
  merged[axis] = blocks * each;
  taken[axis] = reverse ? n - by - each * (ends - 1) : by - 1;
  taken[2 * shape.rank + axis] = each;
  handle end = slice(y, {taken, 3 * shape.rank});
  if (ends < blocks) {
    handle const rest = slice_axis(y, axis, reverse ? 0 : n - 1, 1);
    handle const parts[] = {reverse ? rest : end, reverse ? end : rest};
    end = concat({parts, 2}, axis);
  }
  handle const all = reshape(broadcast(end, spread, {map, shape.rank}), merged);
  return slice_axis(all, axis, reverse ? blocks * each - n : 0, n);
}

} // namespace detail
} // namespace weft::inline v0
