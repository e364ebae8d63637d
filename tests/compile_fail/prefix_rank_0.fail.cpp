// SPDX-License-Identifier: BSL-1.0
// expect: weft: there is no such axis to scan; axes count from 0, or from -1 at the end
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float> a) {
  return associative_scan([](auto x, auto y) { return x * y; }, a);
}
