// SPDX-License-Identifier: BSL-1.0
// expect: weft: pool: windows run along numbers; this spatial axis has a name
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 4> a) { return weft::min_pool<"WC", pool_options{.size = 2}>(a); }
