// SPDX-License-Identifier: BSL-1.0
// expect: weft: counters that are not partitionable have 32 bits; draw fewer numbers
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) {
  return weft::bits<weft::random_options{.partitionable = false}, 70000, 70000>(key);
}
