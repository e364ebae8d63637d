// SPDX-License-Identifier: BSL-1.0
// expect: weft: value_and_grad: no argument has that number; count from 0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float> a, traced<float> b) {
  return weft::value_and_grad<2>([](auto x, auto y) { return x * y; })(a, b);
}
