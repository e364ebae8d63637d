// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

using weft::traced;

inline constexpr auto square = [](auto x) { return x * x; };
auto example(traced<float, 2, 1, 2, 1> a) { return weft::jacobian(square)(a); }
