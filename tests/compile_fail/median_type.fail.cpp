// SPDX-License-Identifier: BSL-1.0
// expect: weft: median and quantile are not defined for bool; write convert<float>(x)
#include <weft/lang/quantiles.hpp>

using weft::traced;

auto example(traced<bool, 3> a) { return median<0>(a); }
