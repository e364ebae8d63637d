// SPDX-License-Identifier: BSL-1.0
// expect: weft: matmul: columns of the first and rows of the second differ
// expect: shape<2, 3>
// expect: shape<4, 5>
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 4, 5> b) { return weft::matmul(a, b); }
