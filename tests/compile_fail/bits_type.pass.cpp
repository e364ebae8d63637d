// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return weft::bits<std::uint32_t, 3>(key); }
