// SPDX-License-Identifier: BSL-1.0
#include <weft/array/tensor.hpp>

using weft::tensor;

constexpr weft::sym rows{"rows"};
tensor<float, rows, 3> const y(tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
