// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float> a, traced<float> b) {
  return weft::value_and_grad<1>([](auto x, auto y) { return x * y; })(a, b);
}
