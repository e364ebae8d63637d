// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::value_and_grad([](auto x) { return x * x; })(a);
}
