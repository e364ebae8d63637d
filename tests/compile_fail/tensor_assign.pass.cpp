// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

void add(tensor<float, 3>& x, tensor<float, 1> y) { x += y; }
