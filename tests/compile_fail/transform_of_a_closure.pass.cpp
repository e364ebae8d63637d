// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto example(weft::tensor<float> const& a, weft::tensor<float> const& scale) {
  return weft::value_and_grad([](auto x, auto y) { return x * y; })(a, scale);
}
