// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 4, 4> a, traced<int, 7, 2> i) { return weft::gather<0, 1>(a, i); }
