// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: unroll needs a length that is a number, not a name; leave it out
#include <weft/lang/scan.hpp>

using weft::traced, weft::scan_options, weft::sym;
constexpr sym steps{"steps"};

auto example(traced<float, steps> a) {
  return weft::scan<scan_options{.unroll = 4}>([](auto c, auto) { return std::pair(c, c); }, 0, a);
}
