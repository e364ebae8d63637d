// SPDX-License-Identifier: BSL-1.0
// expect: weft: bool is neither added nor multiplied; write convert<int>(x)
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<bool, 3> a, traced<int, 2> i) { return weft::scatter_add<0>(a, i, a); }
