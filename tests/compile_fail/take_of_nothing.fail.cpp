// SPDX-License-Identifier: BSL-1.0
// expect: weft: take, at, set or pad: the axis has no element to take
// expect: shape<0, 4>
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 0, 4> a, traced<int, 3> i) { return take<0>(a, i); }
