// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 4> a) { return weft::min_pool<"NW", pool_options{.size = 2}>(a); }
