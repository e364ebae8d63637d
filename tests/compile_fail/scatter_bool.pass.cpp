// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<int, 3> a, traced<int, 2> i) { return weft::scatter_add<0>(a, i, 1); }
