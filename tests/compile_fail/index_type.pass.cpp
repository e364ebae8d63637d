// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 4> a, traced<int, 3> i) { return take<0>(a, i); }
