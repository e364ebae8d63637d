// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: an array or key of xs has no leading axis
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, 0, a).first;
}
