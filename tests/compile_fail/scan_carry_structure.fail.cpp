// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body returns a carry of another structure
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> b) {
  return weft::scan([](auto c, auto x) { return std::pair(c.first, x); }, std::pair(b, 0), a);
}
