// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body returns no pair; write std::pair(carry, y), y may be weft::none
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> b) {
  return weft::scan([](auto c, auto) { return c; }, b, a);
}
