// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/custom_vjp.hpp>
#include <weft/lang/elementwise.hpp>

#include <utility>

inline constexpr auto square = [](auto x) { return x * x; };
inline constexpr auto forward = [](auto x) { return std::pair(x * x, x); };
inline constexpr auto backward = [](auto x, auto ct) { return x * ct; };
auto example(weft::traced<float, 3> a) { return weft::custom_vjp(square, forward, backward)(a); }
