// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensor: the shapes differ; to bind names write tensor<...>(x)
#include <weft/weft.hpp>

using weft::tensor;

constexpr weft::sym rows{"rows"};
tensor<float, rows, 3> twice(tensor<float, 2, 3> x) { return x + x; }
