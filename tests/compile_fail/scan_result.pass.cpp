// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, 0.0f, x).first;
}
