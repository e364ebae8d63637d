// SPDX-License-Identifier: BSL-1.0
// expect: weft: transpose: name every axis once
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 2, 3, 4> a) { return transpose<1, 0>(a); }
