// SPDX-License-Identifier: BSL-1.0
// expect: weft: not a float; write convert<float>(x)
#include <weft/lang/closeness.hpp>

using weft::traced;

auto example(traced<int, 3> x) { return isclose(x, x); }
