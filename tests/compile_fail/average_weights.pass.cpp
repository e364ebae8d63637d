// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> b) {
  return weft::average(a, convert<float>(a > 0));
}
