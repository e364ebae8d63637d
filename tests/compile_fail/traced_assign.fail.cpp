// SPDX-License-Identifier: BSL-1.0
// expect: weft: x += y would give x another shape or type; write x + y
#include <weft/lang/elementwise.hpp>

using weft::traced;

void add(traced<float, 3>& x, traced<float, 2, 3> y) { x += y; }
