// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array of keys; take one of them, or scan over them
#include <weft/lang/random.hpp>

auto noise(weft::traced_key<4> keys) { return weft::uniform<3>(keys); }
