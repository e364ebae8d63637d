// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body returns a carry of another type
// expect: traced<float>
// expect: traced<float, 2>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3, 2> a, traced<float> b) {
  return weft::scan([](auto, auto x) { return std::pair(x, weft::none); }, b, a).first;
}
