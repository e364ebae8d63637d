// SPDX-License-Identifier: BSL-1.0
// expect: weft: an extent is at least 0
#include <weft/array/tensor.hpp>

using weft::tensor;

tensor<float, -1> a;
