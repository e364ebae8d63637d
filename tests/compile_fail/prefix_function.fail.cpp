// SPDX-License-Identifier: BSL-1.0
// expect: weft: the combining function is none of two elements
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return associative_scan([](auto x) { return x; }, a);
}
