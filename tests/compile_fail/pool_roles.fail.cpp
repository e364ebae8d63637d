// SPDX-License-Identifier: BSL-1.0
// expect: weft: pool: N, C and F are not pooled; I, O, n and c are no letters of a layout
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<float, 1, 4, 4, 3> a) {
  return weft::max_pool<"nhwc", pool_options{.size = 2}>(a);
}
