// SPDX-License-Identifier: BSL-1.0
// expect: weft: arg_min: there is no element to choose
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 0, 3> x) { return arg_min<0>(x); }
