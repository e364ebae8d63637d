// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array has at most 8 axes
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) { return weft::expand_dims<0>(a) + a; }
