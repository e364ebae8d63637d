// SPDX-License-Identifier: BSL-1.0
// expect: weft: a number is beyond the integers of the array that it meets; convert one of them
// expect: number_beyond_type
#include <weft/weft.hpp>

inline constexpr auto next = [](auto x) { return x + weft::full<std::uint8_t, 2>(-1); };
auto example() { return weft::jit<next>(weft::tensor<std::uint8_t, 2>{1, 2}); }
