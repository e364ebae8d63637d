// SPDX-License-Identifier: BSL-1.0
// expect: weft: there is no such axis; axes count from 0, or from -1 at the end
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return flip<2>(a); }
