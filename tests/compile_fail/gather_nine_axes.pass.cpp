// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<float, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide a, traced<int, 2, 3, 2> i) { return weft::gather<6, 7>(a, i); }
