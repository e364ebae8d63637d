// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

inline constexpr auto product = [](auto x, auto y) { return x * y; };
auto example(traced<float, 3> a) { return weft::vjp(product)(a, a, a); }
