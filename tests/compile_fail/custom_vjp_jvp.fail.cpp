// SPDX-License-Identifier: BSL-1.0
// expect: weft: jvp: a function of custom_vjp has no forward derivative; use vjp or grad
#include <weft/weft.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
inline constexpr auto forward = [](auto x) { return std::pair(x * x, x); };
inline constexpr auto backward = [](auto x, auto ct) { return ct * x; };
inline constexpr auto own = weft::custom_vjp(square, forward, backward);
auto slope() { return weft::jit<weft::jvp(own)>(1.0f, 1.0f); }
