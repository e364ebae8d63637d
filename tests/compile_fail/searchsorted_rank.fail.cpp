// SPDX-License-Identifier: BSL-1.0
// expect: weft: searchsorted: the sorted array has one axis
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 4> b) { return searchsorted(a, b); }
