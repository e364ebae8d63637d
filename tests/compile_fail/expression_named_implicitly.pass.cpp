// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

constexpr weft::sym rows{"rows"};
tensor<float, rows, 3> twice(tensor<float, 2, 3> x) { return tensor<float, rows, 3>(x + x); }
