// SPDX-License-Identifier: BSL-1.0
// expect: weft: vdot: the numbers of elements differ
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 5> b) { return weft::vdot(a, b); }
