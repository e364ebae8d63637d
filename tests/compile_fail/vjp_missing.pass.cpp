// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::vjp([](auto x) { return x * x; })(a, a);
}
