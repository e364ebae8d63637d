// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
inline constexpr auto picked = [](auto x) { return x; };
auto slope() { return weft::jit<weft::grad(square, picked)>(1.0f); }
