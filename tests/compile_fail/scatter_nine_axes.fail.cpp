// SPDX-License-Identifier: BSL-1.0
// expect: weft: scatter: an array has at most 8 axes
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<float, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide a, traced<int, 2, 3> i) { return weft::scatter_add<7>(a, i, 1); }
