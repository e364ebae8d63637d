// SPDX-License-Identifier: BSL-1.0
#include <weft/array/tensor.hpp>

using weft::tensor;

tensor<double, 3> a;
