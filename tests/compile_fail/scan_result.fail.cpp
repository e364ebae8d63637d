// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body returns no arrays; a carry and a y are arrays, or a struct, pair or tuple of them
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) {
  return weft::scan([](auto c, auto) { return std::pair(c, "done"); }, 0.0f, x).first;
}
