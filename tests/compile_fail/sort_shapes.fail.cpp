// SPDX-License-Identifier: BSL-1.0
// expect: weft: sort: the arrays that are sorted together have one shape
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 4> b) { return sort<0>(a, b); }
