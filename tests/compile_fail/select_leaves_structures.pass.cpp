// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(traced<bool> p, traced<float, 3> a, traced<float, 2> b) {
  return select_leaves(p, std::pair(a, b), std::pair(a * 2, b));
}
