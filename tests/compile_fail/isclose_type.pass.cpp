// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/closeness.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return isclose(x, x); }
