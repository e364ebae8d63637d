// SPDX-License-Identifier: BSL-1.0
// expect: weft: the identity of a scan has another element type; write convert<T>(x) or another literal
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<double> start) {
  return associative_scan([](auto x, auto y) { return x + y; }, a, start);
}
