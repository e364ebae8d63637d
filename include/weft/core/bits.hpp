// SPDX-License-Identifier: BSL-1.0
// Functions of <bit> on the widest word. Why not std's: each is a template over the unsigned types,
// and every source that includes weft would instantiate them with their constraints.
#pragma once

#include <weft/core/config.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace detail {

constexpr int popcount(std::uint64_t x) { return __builtin_popcountll(x); }
// 64 for 0.
constexpr int countl_zero(std::uint64_t x) { return x == 0 ? 64 : __builtin_clzll(x); }
constexpr int countr_zero(std::uint64_t x) { return x == 0 ? 64 : __builtin_ctzll(x); }
// The largest power of two that is no larger than x; 0 for 0.
constexpr std::uint64_t bit_floor(std::uint64_t x) {
  return x == 0 ? 0 : std::uint64_t{1} << (63 - countl_zero(x));
}

// The smallest power of two that is no smaller than x; 1 for 0.
constexpr std::uint64_t bit_ceil(std::uint64_t x) {
  return x < 2 ? 1 : std::uint64_t{1} << (64 - countl_zero(x - 1));
}

} // namespace detail
} // namespace weft::inline v0
