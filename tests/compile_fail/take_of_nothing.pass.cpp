// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 0, 4> a, traced<int, 3> i) { return take<1>(a, i); }
