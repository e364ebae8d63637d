// SPDX-License-Identifier: BSL-1.0
// expect: weft: reduce_by_key: there is not one key for each element
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<int, 6> keys) {
  return weft::reduce_by_key([](auto a, auto b) { return a + b; }, keys, x);
}
