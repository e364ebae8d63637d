// SPDX-License-Identifier: BSL-1.0
// expect: weft: a draw of more than 2^32 numbers needs partitionable counters
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key) {
  return weft::bits<weft::random_options{.partitionable = false}, 70000, 70000>(key);
}
