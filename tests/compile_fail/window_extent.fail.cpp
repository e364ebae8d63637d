// SPDX-License-Identifier: BSL-1.0
// expect: weft: dynamic_slice: the window has another rank than the array, or is larger
// expect: shape<4>
#include <weft/lang/windows.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<int> i) { return weft::dynamic_slice<4>(a, i); }
