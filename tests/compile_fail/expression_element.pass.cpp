// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

float first(weft::tensor<float, 3, 4> const& x) { return weft::eval(x * 2)(0, 0); }
