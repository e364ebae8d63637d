// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensordot: an operand has fewer axes than are summed
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3> b) { return weft::tensordot<2>(a, b); }
