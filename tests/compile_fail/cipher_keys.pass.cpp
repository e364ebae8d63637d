// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_blocks.hpp>

using weft::traced;

using words = traced<std::uint32_t, 4>;
auto example(traced<std::uint32_t, 2> keys, words counters) {
  return weft::philox4x32(keys, counters);
}
