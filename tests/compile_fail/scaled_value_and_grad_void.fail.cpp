// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function returns no arrays; return arrays, or a struct, pair or tuple of them
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(weft::loss_scale<traced> s, traced<float, 3> a) {
  return weft::scaled_value_and_grad([](auto) {})(s, a);
}
