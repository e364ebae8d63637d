// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto first(traced<float, 3> x) { return at<"0">(x); }
