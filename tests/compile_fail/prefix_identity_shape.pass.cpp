// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 1> start) {
  return associative_scan([](auto x, auto y) { return x + y; }, a, start);
}
