// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: one axis per argument; write none for those not mapped
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::none, weft::traced;

inline constexpr auto twice = [](auto x) { return x + x; };
inline constexpr auto product = [](auto x, auto y) { return x * y; };
auto example(traced<float, 4, 3> a) { return weft::vmap<0>(product)(a, a); }
