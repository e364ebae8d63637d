// SPDX-License-Identifier: BSL-1.0
// expect: weft: quantile: not float; write convert<float>(x)
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return quantile<0>(a, 0.5f); }
