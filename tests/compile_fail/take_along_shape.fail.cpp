// SPDX-License-Identifier: BSL-1.0
// expect: weft: take_along_axis: the indices' extents do not fit the array's
// expect: shape<2, 5>
// expect: shape<3, 5>
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 2, 5> a, traced<int, 3, 5> i) { return take_along_axis<1>(a, i); }
