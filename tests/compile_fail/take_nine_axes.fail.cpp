// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array has at most 8 axes
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<float, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide a, traced<int, 2, 3> i) { return weft::take<7>(a, i); }
