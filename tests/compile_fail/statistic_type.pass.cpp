// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return weft::var(convert<float>(a)); }
