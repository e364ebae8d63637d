// SPDX-License-Identifier: BSL-1.0
// expect: weft: the last axis of counters is the generator's words of uint32
#include <weft/lang/random_blocks.hpp>

using weft::traced;

using words = traced<std::uint32_t, 2>;
auto example(words keys, words counters) { return weft::philox4x32(keys, counters); }
