// SPDX-License-Identifier: BSL-1.0
// expect: weft: pool: a layout has 1 to 4 letters besides N, C and F
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<float, 1, 4> a) { return weft::max_pool<"NC", pool_options{.size = 2}>(a); }
