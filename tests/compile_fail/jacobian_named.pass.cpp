// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

auto example(weft::traced<float, 4> a) {
  return weft::jacobian([](auto x) { return x * x; })(a);
}
