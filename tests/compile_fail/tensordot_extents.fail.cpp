// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensordot: summed axes have different extents
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 2, 3> b) { return weft::tensordot<1>(a, b); }
