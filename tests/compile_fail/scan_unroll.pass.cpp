// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/scan.hpp>

using weft::traced, weft::scan_options;

auto example(traced<float, 3> a) {
  return weft::scan<scan_options{.unroll = 2}>([](auto c, auto) { return std::pair(c, c); }, 0, a);
}
