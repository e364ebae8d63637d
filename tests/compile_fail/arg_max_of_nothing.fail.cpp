// SPDX-License-Identifier: BSL-1.0
// expect: weft: arg_max: there is no element to choose
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3, 0> a) { return arg_max<1>(a); }
