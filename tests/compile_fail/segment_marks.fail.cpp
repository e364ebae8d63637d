// SPDX-License-Identifier: BSL-1.0
// expect: weft: segmented_scan: the segments are no vector of ids (integers) or heads (bool)
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<float, 5> ids) {
  return weft::segmented_scan([](auto a, auto b) { return a + b; }, ids, x);
}
