// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> b) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, b, a);
}
