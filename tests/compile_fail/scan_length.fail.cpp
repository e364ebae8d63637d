// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the length is not that of xs; leave it out
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::scan<weft::scan_options{.length = 5}>(
             [](auto c, auto) { return std::pair(c, weft::none); }, 0, a)
      .first;
}
