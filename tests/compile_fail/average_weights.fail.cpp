// SPDX-License-Identifier: BSL-1.0
// expect: weft: average: the weights do not broadcast to the array's shape
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> b) { return weft::average(a, b); }
