// SPDX-License-Identifier: BSL-1.0
// expect: weft: full_like: the array cannot hold this number
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<int, 3> x) { return full_like(x, 0.5); }
