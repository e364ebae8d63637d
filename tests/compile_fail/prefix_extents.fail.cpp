// SPDX-License-Identifier: BSL-1.0
// expect: weft: the scanned arrays differ in their extent along the axis
// expect: traced<float, 3>
// expect: traced<float, 4>
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 4> b) {
  return associative_scan([](auto x, auto) { return x; }, std::pair(a, b));
}
