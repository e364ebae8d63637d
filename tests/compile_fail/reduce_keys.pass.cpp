// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<int, 2> keys, traced<float, 2> x) {
  return weft::reduce_by_key([](auto a, auto b) { return a + b; }, keys, x);
}
