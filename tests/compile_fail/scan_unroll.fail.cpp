// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: unroll is less than 1; write a number of steps, 1 for a plain loop
#include <weft/lang/scan.hpp>

using weft::traced, weft::scan_options;

auto example(traced<float, 3> a) {
  return weft::scan<scan_options{.unroll = 0}>([](auto c, auto) { return std::pair(c, c); }, 0, a);
}
