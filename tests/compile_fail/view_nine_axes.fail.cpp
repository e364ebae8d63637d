// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: an array has at most 8 axes
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) { return weft::at<"new, ...">(a) + a; }
