// SPDX-License-Identifier: BSL-1.0
// expect: weft: an axis is reduced twice
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return sum<1, -1>(a); }
