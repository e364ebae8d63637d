// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;

void add(traced<float, 3>& x, traced<float, 3> y) { x += y; }
