// SPDX-License-Identifier: BSL-1.0
// expect: weft: fold_in: the number is not an int; write convert<int>(i)
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return fold_in(key, 0.5f); }
