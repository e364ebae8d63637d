// SPDX-License-Identifier: BSL-1.0
// expect: weft: quantile: q is one number
#include <weft/run/evaluate.hpp>

using weft::tensor;

auto example(tensor<float, 5> a, tensor<float, 3> q) { return weft::quantile<0>(a, q); }
