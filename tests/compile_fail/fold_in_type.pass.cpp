// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) { return fold_in(key, 5); }
