// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: a result has 8 axes, and examples need one; use scan
#include <weft/lang/movement.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced;

inline constexpr auto f = [](auto x) { return reshape<1, 1, 1, 1, 1, 1, 1, 3>(x); };
auto example(traced<float, 4, 3> a) { return weft::vmap(f)(a); }
