// SPDX-License-Identifier: BSL-1.0
// expect: weft: jacobian: the function must return one array of floats; use vjp or jvp for anything else
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

#include <utility>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::jacobian([](auto x) { return std::pair(x * x, x); })(a);
}
