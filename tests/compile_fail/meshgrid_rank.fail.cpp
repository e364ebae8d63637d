// SPDX-License-Identifier: BSL-1.0
// expect: weft: meshgrid: an array has not one axis
#include <weft/lang/grids.hpp>

using weft::traced;

auto example(traced<float, 3, 1> a) { return weft::meshgrid(a, a); }
