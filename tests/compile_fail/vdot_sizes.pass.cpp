// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 6> b) { return weft::vdot(a, b); }
