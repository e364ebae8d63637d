// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_blocks.hpp>

using weft::traced;

using words = traced<std::uint32_t, 2>;
auto example(words keys, words counters) { return weft::threefry2x32(keys, counters); }
