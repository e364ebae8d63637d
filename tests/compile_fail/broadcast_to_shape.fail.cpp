// SPDX-License-Identifier: BSL-1.0
// expect: weft: broadcast_to: the array does not broadcast to this shape
// expect: shape<3>
// expect: shape<3, 2>
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::broadcast_to<3, 2>(a); }
