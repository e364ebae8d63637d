// SPDX-License-Identifier: BSL-1.0
// expect: weft: arg_sort: one axis at a time
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x) { return arg_sort<0, 1>(x); }
