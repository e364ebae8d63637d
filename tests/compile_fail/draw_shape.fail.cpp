// SPDX-License-Identifier: BSL-1.0
// expect: weft: an argument does not broadcast to the shape of the draw
// expect: traced<float, 4>
// expect: shape<2, 3>
#include <weft/lang/random.hpp>

using weft::traced;

auto example(weft::traced_key<> key, traced<float, 4> a) { return weft::uniform<2, 3>(key, a, 1); }
