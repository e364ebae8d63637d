// SPDX-License-Identifier: BSL-1.0
// expect: weft: squeeze: the extent of the axis is not 1
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3, 1> a) { return weft::squeeze<0>(a); }
