// SPDX-License-Identifier: BSL-1.0
// expect: weft: initialiser: a named extent has no fan; write a number
#include <weft/weft.hpp>

constexpr weft::sym words{"words"};
auto table(weft::traced_key<> key) { return weft::lecun_uniform<words, 3>(key); }
