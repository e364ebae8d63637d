// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

constexpr int words = 7;
auto table(weft::traced_key<> key) { return weft::lecun_uniform<words, 3>(key); }
