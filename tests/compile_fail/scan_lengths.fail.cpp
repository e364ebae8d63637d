// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the arrays of xs differ in their leading extent
// expect: shape<3>
// expect: shape<4>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 4> b) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, 0, std::pair(a, b))
      .first;
}
