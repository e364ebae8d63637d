// SPDX-License-Identifier: BSL-1.0
// expect: weft: not an element type; use float, double, bf16, f16, bool or an integer of <cstdint>
#include <weft/array/tensor.hpp>

using weft::tensor;

tensor<long double, 3> a;
