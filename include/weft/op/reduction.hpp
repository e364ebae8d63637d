// SPDX-License-Identifier: BSL-1.0
// What every backend's reductions share (docs/numerics.md): element i of a block goes to lane i mod
// 64, lanes combine in sequence and then by a halving tree; blocks of 16384 elements are reduced so,
// their results again, and theirs above 2^28 elements.
// Leaves: lane_start<O, T>(), what an empty lane holds, is the identity of the combination, bit for
// bit; empty_result<O, T>() is what a reduction of nothing gives.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/number_limits.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {

inline constexpr int sum_lanes = 64;
inline constexpr extent sum_block = 16384;

// The type in which elements are combined: float for the 16-bit floats, 32 bits for integers of
// fewer (a sum that wraps at its end is one that wraps at every step).
template <element T> using accumulated = storage_of<compute_of(dtype_of<T>)>;

template <op Reduction, element T> constexpr accumulated<T> lane_start() {
  using A = accumulated<T>;
  if constexpr (Reduction == op::reduce_max) {
    if constexpr (is_float(dtype_of<T>)) return -A(detail::infinity_f32);
    else return detail::lowest_number<T>;
  } else if constexpr (Reduction == op::reduce_min) {
    if constexpr (is_float(dtype_of<T>)) return A(detail::infinity_f32);
    else return detail::highest_number<T>;
  } else if constexpr (Reduction == op::reduce_prod) return A(1);
  else if constexpr (is_float(dtype_of<T>)) return A(-0.0f);
  else return A{};
}
template <op Reduction, element T> constexpr accumulated<T> empty_result() {
  return Reduction == op::reduce_sum ? accumulated<T>{} : lane_start<Reduction, T>();
}
// Do combinations in any order give the same bits?
constexpr bool is_free_of_order(op reduction, dtype type) {
  return reduction == op::reduce_max || reduction == op::reduce_min || !is_float(type);
}

} // namespace weft::inline v0
