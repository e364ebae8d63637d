// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

using weft::traced;

auto example(weft::traced_key<> key, traced<float, 3> a) { return weft::uniform<2, 3>(key, a, 1); }
