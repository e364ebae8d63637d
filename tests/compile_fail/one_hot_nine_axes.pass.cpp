// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<int, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide i) { return weft::one_hot<4>(weft::take<0>(i, 0)); }
