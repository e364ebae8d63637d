// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 4> a, traced<float, 4> b) {
  return associative_scan([](auto x, auto) { return x; }, std::pair(a, b));
}
