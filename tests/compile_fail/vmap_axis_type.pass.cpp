// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced;

inline constexpr auto twice = [](auto x) { return x + x; };
auto example(traced<float, 4, 3> a) { return weft::vmap<1>(twice)(a); }
