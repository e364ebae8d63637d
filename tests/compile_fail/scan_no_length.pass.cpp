// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::scan<weft::scan_options{.length = 3}>(
             [](auto c, auto) { return std::pair(c, weft::none); }, a, weft::none)
      .first;
}
