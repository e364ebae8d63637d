// SPDX-License-Identifier: BSL-1.0
// expect: weft: dropout: not a float; write convert<float>(x)
#include <weft/lang/random.hpp>

using weft::traced;

auto example(weft::traced_key<> key, traced<int, 3> x) { return dropout(key, 0.5f, x); }
