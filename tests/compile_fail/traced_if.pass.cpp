// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto magnitude(traced<float> x) { return where(x > 0, x, -x); }
