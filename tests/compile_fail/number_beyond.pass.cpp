// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto next = [](auto x) { return x + 255; };
auto example() { return weft::jit<next>(weft::tensor<std::uint8_t, 2>{1, 2}); }
