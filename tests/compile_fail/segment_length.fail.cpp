// SPDX-License-Identifier: BSL-1.0
// expect: weft: segmented_scan: the segments are not as long as the axis
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<bool, 4> heads) {
  return weft::segmented_scan([](auto a, auto b) { return a + b; }, heads, x);
}
