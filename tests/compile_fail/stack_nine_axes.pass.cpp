// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) { return weft::concat<0>(a, a) + a; }
