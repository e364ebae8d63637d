// SPDX-License-Identifier: BSL-1.0
// Packs whose lanes are moved: shifted_lanes<Target, By>(before, x), exchanged_lanes<Target, By>(x),
// reversed_lanes<Target>(x), last_lane<Target>(x).
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
// Lane k is lane k - By of x, or, before its first, one of the last of `before`.
template <class Target, int By, class Pack> WEFT_INLINE Pack shifted_lanes(Pack before, Pack x) {
  if constexpr (requires { x.high; }) {
    constexpr int half = Target::lanes / 2;
    constexpr std::make_integer_sequence<int, half> all{};
    if constexpr (By == half) return Pack(before.high, x.low);
    else
      return Pack(picked_lanes<half - By, 1>(before.high, x.low, all),
                  picked_lanes<half - By, 1>(x.low, x.high, all));
  } else {
    constexpr int lanes = Target::lanes;
    constexpr std::make_integer_sequence<int, lanes> all{};
    return Pack(picked_lanes<lanes - By, 1>(before.value, x.value, all));
  }
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
