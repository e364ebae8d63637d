// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2, 4> a, traced<float> b) { return weft::at<":, 3">(a) + b; }
