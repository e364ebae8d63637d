// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/pooling.hpp>

using weft::pool_options, weft::traced;

auto example(traced<float, 4, 4> a) {
  return weft::max_pool<"HW", pool_options{.size = {2, 2}}>(a);
}
