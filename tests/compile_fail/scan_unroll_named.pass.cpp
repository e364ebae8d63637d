// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/scan.hpp>

using weft::traced, weft::scan_options, weft::sym;
constexpr sym steps{"steps"};

auto example(traced<float, steps> a) {
  return weft::scan<scan_options{}>([](auto c, auto) { return std::pair(c, c); }, 0, a);
}
