// SPDX-License-Identifier: BSL-1.0
// expect: weft: a traced array has no elements yet; write at<"0, 1">(x)
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto first(traced<float, 3> x) { return x(0); }
