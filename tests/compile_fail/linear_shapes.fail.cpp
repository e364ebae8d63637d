// SPDX-License-Identifier: BSL-1.0
// expect: weft: linear: x (..., in) and w (in, out)
// expect: shape<5, 4>
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x, traced<float, 5, 4> w, traced<float, 4> b) {
  return weft::linear(x, w, b);
}
