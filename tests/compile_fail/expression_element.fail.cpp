// SPDX-License-Identifier: BSL-1.0
// expect: weft: an expression has no elements yet; write eval(x)(0, 1)
#include <weft/weft.hpp>

float first(weft::tensor<float, 3, 4> const& x) { return (x * 2)(0, 0); }
