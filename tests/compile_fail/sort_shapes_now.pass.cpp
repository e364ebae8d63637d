// SPDX-License-Identifier: BSL-1.0
#include <weft/run/evaluate.hpp>

using weft::tensor;

auto example(tensor<float, 3> a, tensor<float, 3> b) { return weft::sort(a, b); }
