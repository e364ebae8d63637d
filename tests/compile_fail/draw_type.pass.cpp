// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto noise(weft::traced_key<> key) { return weft::randint<3>(key, 0, 10); }
