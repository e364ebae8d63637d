// SPDX-License-Identifier: BSL-1.0
#include <weft/array/tensor.hpp>

using weft::tensor;

auto example(tensor<float, 3> const& a) { return tensor<float, 3>(a); }
