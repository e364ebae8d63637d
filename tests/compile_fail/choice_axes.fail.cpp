// SPDX-License-Identifier: BSL-1.0
// expect: weft: choice: x has one axis, and elements on it
#include <weft/lang/random_order.hpp>

auto example(weft::traced_key<> key, weft::traced<float, 3, 3> x) {
  return weft::choice<2>(key, x);
}
