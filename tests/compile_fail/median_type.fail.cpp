// SPDX-License-Identifier: BSL-1.0
// expect: weft: median: not float; write convert<float>(x)
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return median<0>(a); }
