// SPDX-License-Identifier: BSL-1.0
// expect: weft: the array cannot hold this number
// expect: double
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<int, 3> a, traced<int, 3> b) { return a * 0.5 + b; }
