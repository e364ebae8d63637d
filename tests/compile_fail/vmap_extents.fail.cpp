// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: the mapped axes differ in their extents
// expect: traced<float, 4, 3>
// expect: traced<float, 3, 4>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::none, weft::traced;

inline constexpr auto twice = [](auto x) { return x + x; };
inline constexpr auto product = [](auto x, auto y) { return x * y; };
auto example(traced<float, 4, 3> a, traced<float, 3, 4> b) { return weft::vmap(product)(a, b); }
