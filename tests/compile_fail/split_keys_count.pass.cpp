// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_keys.hpp>

auto example(weft::traced_key<> key) { return weft::split_keys<4>(key); }
