// SPDX-License-Identifier: BSL-1.0
// expect: weft: custom_vjp: backward must return the argument's gradient, of its type, or a tuple of all arguments' gradients
#include <weft/lang/custom_vjp.hpp>
#include <weft/lang/elementwise.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
inline constexpr auto forward = [](auto x) { return std::pair(x * x, x); };
inline constexpr auto backward = [](auto x, auto ct) { return std::tuple(ct * x); };
auto example(weft::traced<float, 3> a) { return weft::custom_vjp(square, forward, backward)(a); }
