// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body is no function of (carry, x)
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::scan(1000, 0, a).first; }
