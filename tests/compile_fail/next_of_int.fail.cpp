// SPDX-License-Identifier: BSL-1.0
// expect: weft: this function is not defined for the element type
#include <weft/lang/elementary.hpp>

using weft::traced;

auto example(traced<int, 3> x) { return nextafter(x, x); }
