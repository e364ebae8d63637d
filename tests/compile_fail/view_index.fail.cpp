// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: the index is outside of its axis
// expect: shape<3>
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float> b) { return weft::at<":, 3">(a) + b; }
