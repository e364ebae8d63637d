// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/map.hpp>

auto example(weft::traced<float, 3> x) {
  return weft::map([](auto one) { return one + 1; }, x);
}
