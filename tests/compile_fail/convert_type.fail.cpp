// SPDX-License-Identifier: BSL-1.0
// expect: weft: convert: not an element type
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::convert<long double>(a); }
