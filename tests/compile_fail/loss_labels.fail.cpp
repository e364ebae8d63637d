// SPDX-License-Identifier: BSL-1.0
// expect: weft: softmax_cross_entropy: logits (..., classes) and int labels (...)
#include <weft/lang/nn.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x, traced<int, 3> labels) {
  return softmax_cross_entropy(x, labels);
}
