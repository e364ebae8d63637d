// SPDX-License-Identifier: BSL-1.0
// expect: weft: categorical: not floats; write convert<float>(logits)
#include <weft/lang/random_order.hpp>

using weft::traced;

auto example(weft::traced_key<> key, traced<int, 3> x) { return categorical(key, x); }
