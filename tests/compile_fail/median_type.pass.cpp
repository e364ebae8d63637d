// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/quantiles.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return median<0>(a); }
