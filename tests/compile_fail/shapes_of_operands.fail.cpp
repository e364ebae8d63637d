// SPDX-License-Identifier: BSL-1.0
// expect: weft: the shapes of the operands do not match
// expect: traced<float, 2, 3>
// expect: traced<float, 4>
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 4> b) { return a + b; }
