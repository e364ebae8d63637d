// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::jacobian([](auto x) { return x * x; })(a);
}
