// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

using wide = traced<float, 1, 1, 1, 1, 1, 1, 1, 2>;
auto example(wide a, traced<int, 3> i) { return weft::take<7>(a, i); }
