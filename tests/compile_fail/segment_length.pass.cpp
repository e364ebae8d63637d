// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<bool, 5> heads) {
  return weft::segmented_scan([](auto a, auto b) { return a + b; }, heads, x);
}
