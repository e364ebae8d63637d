// SPDX-License-Identifier: BSL-1.0
// expect: weft: wrap_key_data: the last axis is the two words of a key
#include <weft/lang/random_keys.hpp>

using weft::traced;

auto example(traced<std::uint32_t, 3> words) { return weft::wrap_key_data(words); }
