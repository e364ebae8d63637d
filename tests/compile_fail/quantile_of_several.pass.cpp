// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/quantiles.hpp>

using weft::traced;

auto example(traced<float, 5> a, traced<float> q) { return weft::quantile<0>(a, q); }
