// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 1, 3, 3> a, traced<float, 5, 3, 3> b) { return weft::matmul(a, b); }
