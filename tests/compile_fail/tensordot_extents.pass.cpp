// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 2> b) { return weft::tensordot<1>(a, b); }
