// SPDX-License-Identifier: BSL-1.0
// expect: weft: split: the extent is not a multiple of the number of parts
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::split<2>(a); }
