// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/expression_scan.hpp>

using weft::tensor;

auto example(tensor<float, 1, 1, 1, 1, 1, 1, 2> const& y, tensor<float, 3> const& x) {
  return weft::scan([&](auto c, auto) { return std::pair(c, y); }, 0.0f, x);
}
