// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> b) { return weft::concat<0>(a, b); }
