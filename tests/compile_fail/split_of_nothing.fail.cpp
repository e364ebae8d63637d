// SPDX-License-Identifier: BSL-1.0
// expect: weft: split: the number of keys is at least 1
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return weft::split<0>(key); }
