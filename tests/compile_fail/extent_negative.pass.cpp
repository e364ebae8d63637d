// SPDX-License-Identifier: BSL-1.0
#include <weft/array/tensor.hpp>

using weft::tensor;

tensor<float, 0> a;
