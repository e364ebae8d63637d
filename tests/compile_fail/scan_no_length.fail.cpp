// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: no xs and no length; write scan<scan_options{.length = n}>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, a, weft::none).first;
}
