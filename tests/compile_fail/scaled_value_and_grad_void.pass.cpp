// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(weft::loss_scale<traced> s, traced<float, 3> a) {
  return weft::scaled_value_and_grad([](auto x) { return sum(x * x); })(s, a);
}
