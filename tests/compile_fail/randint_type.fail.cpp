// SPDX-License-Identifier: BSL-1.0
// expect: weft: randint: not an integer type
#include <weft/lang/randint.hpp>

auto example(weft::traced_key<> key) { return weft::randint<float, 3>(key, 0, 9); }
