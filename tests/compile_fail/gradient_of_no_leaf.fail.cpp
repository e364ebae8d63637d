// SPDX-License-Identifier: BSL-1.0
// expect: weft: grad: the picking function returns no leaf of an argument; return leaves as they are
#include <weft/weft.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
inline constexpr auto picked = [](auto x) { return x * 2; };
auto slope() { return weft::jit<weft::grad(square, picked)>(1.0f); }
