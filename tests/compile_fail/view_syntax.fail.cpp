// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: cannot read this
// expect: ":, x"
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float> b) { return weft::at<":, x">(a) + b; }
