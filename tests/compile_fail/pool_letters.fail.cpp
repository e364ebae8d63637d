// SPDX-License-Identifier: BSL-1.0
// expect: weft: pool: a layout is letters, each once; write "NHWC"
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<float, 1, 4, 4, 3> a) {
  return weft::max_pool<"NHHC", pool_options{.size = 2}>(a);
}
