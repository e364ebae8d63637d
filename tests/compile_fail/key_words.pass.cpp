// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_keys.hpp>

using weft::traced;

auto example(traced<std::uint32_t, 2> words) { return weft::wrap_key_data(words); }
