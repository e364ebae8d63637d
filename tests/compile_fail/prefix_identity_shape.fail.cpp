// SPDX-License-Identifier: BSL-1.0
// expect: weft: the identity of a scan does not broadcast to its array
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> start) {
  return associative_scan([](auto x, auto y) { return x + y; }, a, start);
}
