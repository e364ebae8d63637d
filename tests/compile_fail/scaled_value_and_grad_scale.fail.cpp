// SPDX-License-Identifier: BSL-1.0
// expect: weft: scaled_value_and_grad: the first argument is no loss_scale; write (scale, arguments...)
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(weft::loss_scale<traced> s, traced<float, 3> a) {
  return weft::scaled_value_and_grad([](auto x) { return sum(x * x); })(a, s);
}
