// SPDX-License-Identifier: BSL-1.0
// expect: weft: the indices are not int; write convert<int>(i)
// expect: traced<float, 3>
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 4> a, traced<float, 3> i) { return take<0>(a, i); }
