// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto example(weft::tensor<float, 3> const& x, weft::tensor<int, 3> const& y) {
  static_cast<void>(x);
  static_cast<void>(y);
  return weft::uniform(weft::key(42), x, x + 1);
}
