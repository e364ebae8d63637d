// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: more items than the array has axes
// expect: shape<2>
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2> a, traced<float> b) { return weft::at<":, 1">(a) + b; }
