// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/randint.hpp>

auto example(weft::traced_key<> key) { return weft::randint<int, 3>(key, 0, 9); }
