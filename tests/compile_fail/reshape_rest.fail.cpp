// SPDX-License-Identifier: BSL-1.0
// expect: weft: reshape: no extent in place of -1 gives the same number of elements
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3, 2> a) { return weft::reshape<-1, 4>(a); }
