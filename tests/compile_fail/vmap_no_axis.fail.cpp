// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: an array lacks the axis to map along; write none for that argument
// expect: traced<float>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::none, weft::traced;

inline constexpr auto twice = [](auto x) { return x + x; };
inline constexpr auto product = [](auto x, auto y) { return x * y; };
auto example(traced<float, 4, 3> a, traced<float> b) { return weft::vmap(product)(a, b); }
