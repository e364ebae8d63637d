// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: an array has at most 8 axes, and ys get one for the steps
#include <weft/lang/expression_scan.hpp>

using weft::tensor;

auto example(tensor<float, 1, 1, 1, 1, 1, 1, 1, 2> const& y, tensor<float, 3> const& x) {
  return weft::scan([&](auto c, auto) { return std::pair(c, y); }, 0.0f, x);
}
