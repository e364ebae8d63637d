// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::vmap(3)(a); }
