// SPDX-License-Identifier: BSL-1.0
// expect: weft: initialiser: the shape lacks an axis of the fans, or it is named twice; write fan_axes
#include <weft/weft.hpp>

auto bias(weft::traced_key<> key) { return weft::he_normal<3>(key); }
