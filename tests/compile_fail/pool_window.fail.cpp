// SPDX-License-Identifier: BSL-1.0
// expect: weft: pool: sizes, strides and dilations are at least 1; write .size = 2
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<float, 4, 4> a) { return weft::max_pool<"HW", pool_options{.strides = 2}>(a); }
