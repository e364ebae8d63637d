// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) {
  return weft::set<"1:">(a, weft::at<"1:">(b));
}
