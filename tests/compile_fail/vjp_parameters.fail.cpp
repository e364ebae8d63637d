// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
// expect: traced<float, 3>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

inline constexpr auto product = [](auto x, auto y) { return x * y; };
auto example(traced<float, 3> a) { return weft::vjp(product)(a, a); }
