// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array has at most 8 axes
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) { return weft::stack(a, a) + a; }
