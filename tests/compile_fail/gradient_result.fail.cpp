// SPDX-License-Identifier: BSL-1.0
// expect: weft: value_and_grad: the function must return a rank-0 float, or pair(value, aux)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::value_and_grad([](auto x) { return x * x; })(a);
}
