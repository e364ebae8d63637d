// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return median<0>(a); }
