// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3, 1> a) { return weft::squeeze<1>(a); }
