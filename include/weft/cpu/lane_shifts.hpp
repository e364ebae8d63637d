// SPDX-License-Identifier: BSL-1.0
// Packs whose lanes are moved: half_ends<Target, By>(x), upper_halves<Target, By>(old, fresh),
// exchanged_lanes<Target, By>(x), reversed_lanes<Target>(x), last_lane<Target>(x).
// Needs: packs of one register or of two (low, high); 0 < By < lanes, a power of 2. Leaves: bits as
// they were, in other lanes.
#pragma once

#include <weft/cpu/pack_types.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

// Lanes First, First + Step, ... of a and b one after the other. (By value and without a lambda: with
// either g++ 12 stores every pack.)
template <int First, int Step, class V, int... K>
WEFT_INLINE V picked_lanes(V a, V b, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(a, b, (First + K * Step)...);
}
// In each block of 2 By lanes the last of the lower half.
template <int By, class V, int... K> WEFT_INLINE V ends_of(V x, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(x, x, ((K & -2 * By) + By - 1)...);
}
// The upper half of each block from `fresh`.
template <class Target, int By, class V, int... K>
WEFT_INLINE V uppers_of(V old, V fresh, std::integer_sequence<int, K...>) {
  constexpr int lanes = static_cast<int>(sizeof...(K));
  if constexpr (requires { instructions<Target>::template blend<0>(old, fresh); }) {
    constexpr int words = static_cast<int>(sizeof(V)) / 4 / lanes, one = (1 << words) - 1;
    constexpr int mask = (0 | ... | ((K & By) == 0 ? 0 : one << K * words));
    return instructions<Target>::template blend<mask>(old, fresh);
  } else return __builtin_shufflevector(old, fresh, ((K & By) == 0 ? K : K + lanes)...);
}
template <class Target, int By, class Pack> WEFT_INLINE Pack half_ends(Pack x) {
  if constexpr (requires { x.high; }) {
    constexpr int half = Target::lanes / 2;
    constexpr std::make_integer_sequence<int, half> all{};
    if constexpr (By == half) {
      auto const end = picked_lanes<half - 1, 0>(x.low, x.low, all);
      return Pack(end, end);
    } else return Pack(ends_of<By>(x.low, all), ends_of<By>(x.high, all));
  } else return Pack(ends_of<By>(x.value, std::make_integer_sequence<int, Target::lanes>{}));
}
template <class Target, int By, class Pack> WEFT_INLINE Pack upper_halves(Pack old, Pack fresh) {
  if constexpr (requires { old.high; }) {
    constexpr int half = Target::lanes / 2;
    constexpr std::make_integer_sequence<int, half> all{};
    if constexpr (By == half) return Pack(old.low, fresh.high);
    else
      return Pack(uppers_of<Target, By>(old.low, fresh.low, all),
                  uppers_of<Target, By>(old.high, fresh.high, all));
  } else
    return Pack(uppers_of<Target, By>(old.value, fresh.value,
                                      std::make_integer_sequence<int, Target::lanes>{}));
}
// Lane k is lane k ^ By of x: within four lanes, a shuffle that waits for nothing.
template <int By, class V, int... K>
WEFT_INLINE V exchanged(V x, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(x, x, (K ^ By)...);
}
template <class Target, int By, class Pack> WEFT_INLINE Pack exchanged_lanes(Pack x) {
  if constexpr (requires { x.high; }) {
    constexpr int half = Target::lanes / 2;
    constexpr std::make_integer_sequence<int, half> all{};
    if constexpr (By == half) return Pack(x.high, x.low);
    else return Pack(exchanged<By>(x.low, all), exchanged<By>(x.high, all));
  } else return Pack(exchanged<By>(x.value, std::make_integer_sequence<int, Target::lanes>{}));
}
// The tree of 2 By lanes, each with the one By further first, in all of them.
template <class Target, int By, class Pack, class Combine>
WEFT_INLINE Pack met_lanes(Pack const& x, Combine const& combine) {
  if constexpr (By == 0) return x;
  else return met_lanes<Target, By / 2>(combine(x, exchanged_lanes<Target, By>(x)), combine);
}
// The last lane in every lane.
template <class Target, class Pack> WEFT_INLINE Pack last_lane(Pack x) {
  if constexpr (requires { x.high; }) {
    constexpr int half = Target::lanes / 2;
    auto const last = picked_lanes<half - 1, 0>(x.high, x.high,
                                                std::make_integer_sequence<int, half>{});
    return Pack(last, last);
  } else {
    constexpr int lanes = Target::lanes;
    constexpr std::make_integer_sequence<int, lanes> all{};
    return Pack(picked_lanes<lanes - 1, 0>(x.value, x.value, all));
  }
}
template <class Target, class Pack> WEFT_INLINE Pack reversed_lanes(Pack x) {
  if constexpr (requires { x.high; }) {
    constexpr int half = Target::lanes / 2;
    constexpr std::make_integer_sequence<int, half> all{};
    return Pack(picked_lanes<half - 1, -1>(x.high, x.high, all),
                picked_lanes<half - 1, -1>(x.low, x.low, all));
  } else {
    constexpr int lanes = Target::lanes;
    constexpr std::make_integer_sequence<int, lanes> all{};
    return Pack(picked_lanes<lanes - 1, -1>(x.value, x.value, all));
  }
}

} // namespace detail
} // namespace weft::inline v0
