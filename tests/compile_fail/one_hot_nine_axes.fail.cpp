// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array has at most 8 axes
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<int, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide i) { return weft::one_hot<4>(i); }
