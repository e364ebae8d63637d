// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) { return weft::at<"new, 0, ...">(a) + a; }
