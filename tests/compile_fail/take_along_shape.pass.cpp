// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 2, 5> a, traced<int, 3, 5> i) { return take_along_axis<0>(a, i); }
