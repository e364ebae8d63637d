// SPDX-License-Identifier: BSL-1.0
// expect: weft: uniform: not a float type; randint draws integers
#include <weft/weft.hpp>

auto noise(weft::traced_key<> key) { return weft::uniform<int, 3>(key, 0, 10); }
