// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/map.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::map([](auto x) { return x; }, a);
}
