// SPDX-License-Identifier: BSL-1.0
// expect: weft: quantile: q has another element type than x; write convert<T>(q)
#include <weft/lang/quantiles.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<int> q) { return weft::quantile<0>(a, q); }
