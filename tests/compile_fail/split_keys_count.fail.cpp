// SPDX-License-Identifier: BSL-1.0
// expect: weft: split_keys: write how many keys: split_keys<4>(key)
#include <weft/lang/random_keys.hpp>

auto example(weft::traced_key<> key) { return weft::split_keys(key); }
