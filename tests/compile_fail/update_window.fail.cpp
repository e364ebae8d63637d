// SPDX-License-Identifier: BSL-1.0
// expect: weft: dynamic_update_slice: the window has another rank than the array, or is larger
// expect: shape<4>
#include <weft/lang/windows.hpp>

using weft::traced;

auto example(traced<float, 3> x, traced<float, 4> y) { return dynamic_update_slice(x, y, 0); }
