// SPDX-License-Identifier: BSL-1.0
// expect: weft: the identity of a scan has another structure than the arrays
#include <weft/lang/expression_segments.hpp>
#include <weft/run/evaluate.hpp>

using weft::tensor;

auto example(tensor<float, 3> const& a, tensor<int, 3> const& ids) {
  return segmented_scan([](auto x, auto y) { return x + y; }, ids, a, std::pair(0.0f, 1.0f));
}
