// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return weft::bits<70000, 70000>(key); }
