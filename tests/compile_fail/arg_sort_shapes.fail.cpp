// SPDX-License-Identifier: BSL-1.0
// expect: weft: arg_sort: the arrays that are sorted together have one shape
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3> x, traced<int, 4> y) { return arg_sort(x, y); }
