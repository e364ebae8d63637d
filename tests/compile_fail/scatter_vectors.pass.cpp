// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 3, 4> x, traced<int, 5, 2> at) { return weft::scatter<0, 1>(x, at, 0); }
