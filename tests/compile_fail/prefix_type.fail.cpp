// SPDX-License-Identifier: BSL-1.0
// expect: weft: the combining function returns another type than it takes
// expect: traced<bool, 3>
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return associative_scan([](auto x, auto y) { return x < y; }, a);
}
