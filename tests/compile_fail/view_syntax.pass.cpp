// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float> b) { return weft::at<":, 1">(a) + b; }
