// SPDX-License-Identifier: BSL-1.0
// expect: weft: this statistic is not defined for integers and bool
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return weft::var(a); }
