// SPDX-License-Identifier: BSL-1.0
// expect: weft: matmul: the axes before the matrices do not broadcast
// expect: shape<2>
// expect: shape<5>
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3, 3> a, traced<float, 5, 3, 3> b) { return weft::matmul(a, b); }
