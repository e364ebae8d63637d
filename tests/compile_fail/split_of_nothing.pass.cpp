// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return weft::split<1>(key); }
