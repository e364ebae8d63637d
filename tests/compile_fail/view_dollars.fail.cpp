// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: every $ needs one run-time index
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<int> i) { return weft::at<"$, $">(a, i); }
