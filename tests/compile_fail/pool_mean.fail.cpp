// SPDX-License-Identifier: BSL-1.0
// expect: weft: avg_pool: not a float; write convert<float>(x)
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<int, 4, 4> a) { return weft::avg_pool<"HW", pool_options{.size = 2}>(a); }
