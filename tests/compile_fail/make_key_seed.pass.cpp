// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_keys.hpp>

using weft::traced;

auto example(traced<int> seed) { return weft::make_key(seed); }
