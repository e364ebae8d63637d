// SPDX-License-Identifier: BSL-1.0
// expect: weft: x += y would give x another shape or type; write x + y
#include <weft/weft.hpp>

using weft::tensor;

void add(tensor<float, 3>& x, tensor<float, 2, 3> y) { x += y; }
