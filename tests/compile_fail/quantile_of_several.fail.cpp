// SPDX-License-Identifier: BSL-1.0
// expect: weft: quantile: q is one number
#include <weft/lang/quantiles.hpp>

using weft::traced;

auto example(traced<float, 5> a, traced<float, 3> q) { return weft::quantile<0>(a, q); }
