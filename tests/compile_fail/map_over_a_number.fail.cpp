// SPDX-License-Identifier: BSL-1.0
// expect: weft: map: an array or key of xs has no leading axis
#include <weft/lang/map.hpp>

auto example(weft::traced<float> x) {
  return weft::map([](auto one) { return one + 1; }, x);
}
