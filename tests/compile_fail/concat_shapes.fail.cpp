// SPDX-License-Identifier: BSL-1.0
// expect: weft: concat: the shapes differ in another axis
// expect: shape<2, 3>
// expect: shape<3, 2>
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 2> b) { return weft::concat<0>(a, b); }
