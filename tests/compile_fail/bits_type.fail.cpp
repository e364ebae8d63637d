// SPDX-License-Identifier: BSL-1.0
// expect: weft: bits: not an unsigned integer; write bits<std::uint32_t, 3>(key)
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return weft::bits<int, 3>(key); }
