// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x, traced<float, 3, 4> w, traced<float, 4> b) {
  return weft::linear(x, w, b);
}
