// SPDX-License-Identifier: BSL-1.0
// expect: weft: linear: x (..., in) and w (in, out)
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float> x, traced<float, 5, 4> w) { return weft::linear(x, w, 0); }
