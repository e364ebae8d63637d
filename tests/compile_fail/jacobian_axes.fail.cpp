// SPDX-License-Identifier: BSL-1.0
// expect: weft: jacobian: an array has at most 8 axes, and these are the result's and the argument's; reshape them
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

using weft::traced;

inline constexpr auto square = [](auto x) { return x * x; };
auto example(traced<float, 2, 1, 2, 1, 2> a) { return weft::jacobian(square)(a); }
