// SPDX-License-Identifier: BSL-1.0
// expect: weft: dot: the last extent of the first and the last but one of the second differ
// expect: shape<2, 3>
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 2> b) { return weft::dot(a, b); }
