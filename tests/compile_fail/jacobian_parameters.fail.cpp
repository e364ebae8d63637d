// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
// expect: traced<float, 3>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::jacobian([](auto x, auto y) { return x * y; })(a);
}
