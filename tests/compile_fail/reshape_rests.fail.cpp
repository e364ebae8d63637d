// SPDX-License-Identifier: BSL-1.0
// expect: weft: reshape: one extent at most is -1
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3, 2> a) { return weft::reshape<-1, -1>(a); }
