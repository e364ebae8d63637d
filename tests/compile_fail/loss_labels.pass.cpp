// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/nn.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x, traced<int, 2> labels) {
  return softmax_cross_entropy(x, labels);
}
