// SPDX-License-Identifier: BSL-1.0
#include <weft/run/evaluate.hpp>

using weft::tensor;

auto example(tensor<float, 5> a, tensor<float> q) { return weft::quantile<0>(a, q); }
