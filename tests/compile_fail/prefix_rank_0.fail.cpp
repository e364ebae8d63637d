// SPDX-License-Identifier: BSL-1.0
// expect: weft: associative_scan: an array has no such axis
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float> a) {
  return associative_scan([](auto x, auto y) { return x * y; }, a);
}
