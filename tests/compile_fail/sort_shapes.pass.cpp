// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) { return sort<0>(a, b); }
