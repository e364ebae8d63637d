// SPDX-License-Identifier: BSL-1.0
// lane_sums: the halving tree (strides lanes/2 … 1) of each of up to `lanes` packs at once: two packs
// of unfinished trees become one by two shuffles and one addition.
//   auto const sums = lane_sums<Target>(packs);   // lane r: the sum of packs[r]
// Needs: 1 to lane_sum_rows<Target, T> packs. Leaves: one vector, its lanes in the packs' order; those
// beyond them are not meaningful.
#pragma once

#include <weft/cpu/pack.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

template <class Target, class T>
inline constexpr int lane_sum_rows = sizeof(T) == 8 ? Target::lanes / 2 : Target::lanes;

// Of vectors that are cut into segments: the lower or upper halves of a's segments, then of b's.
template <int Lanes, int Segment, int Upper, class V>
WEFT_INLINE V halves_of_segments(V const& a, V const& b) {
  constexpr int half = Segment / 2;
  return [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
    return __builtin_shufflevector(a, b, (K / half * Segment + K % half + Upper * half)...);
  }(std::make_integer_sequence<int, Lanes>{});
}
// Each vector holds Lanes / Segment trees that still have Segment values.
template <int Lanes, int Segment, int Count, class V, class Combine>
WEFT_INLINE V fold_segments(V const (&x)[Count], Combine const& combine) {
  if constexpr (Segment == 1) return x[0];
  else {
    constexpr int pairs = (Count + 1) / 2;
    V y[pairs];
#pragma GCC unroll 16
    for (int k = 0; k < pairs; ++k) {
      V const& a = x[2 * k];
      V const& b = x[2 * k + 1 < Count ? 2 * k + 1 : 2 * k];
      y[k] = combine(halves_of_segments<Lanes, Segment, 0>(a, b),
                     halves_of_segments<Lanes, Segment, 1>(a, b));
    }
    return fold_segments<Lanes, Segment / 2>(y, combine);
  }
}
// A pack of 64-bit numbers is two registers: the tree's first step.
template <class Pack> WEFT_INLINE auto one_register(Pack const& x) {
  if constexpr (requires { x.low; }) return x.low + x.high;
  else return x.value;
}
// combine(a, b): of two vectors.
template <class Target, int Count, class Pack, class Combine>
WEFT_INLINE auto lane_trees(Pack const (&packs)[Count], Combine const& combine) {
  using vector = decltype(one_register(packs[0]));
  constexpr int lanes = requires { packs[0].low; } ? Target::lanes / 2 : Target::lanes;
  static_assert(Count <= lanes);
  vector x[Count];
#pragma GCC unroll 16
  for (int k = 0; k < Count; ++k) x[k] = one_register(packs[k]);
  return fold_segments<lanes, lanes>(x, combine);
}
template <class Target, int Count, class Pack>
WEFT_INLINE auto lane_sums(Pack const (&packs)[Count]) {
  return lane_trees<Target>(packs, [](auto const& a, auto const& b) WEFT_LAMBDA { return a + b; });
}

} // namespace detail
} // namespace weft::inline v0
