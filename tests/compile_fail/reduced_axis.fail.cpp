// SPDX-License-Identifier: BSL-1.0
// expect: weft: there is no such axis to reduce
// expect: shape<2>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 2> a, traced<float> b) { return sum<1>(a) + b; }
