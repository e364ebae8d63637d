// SPDX-License-Identifier: BSL-1.0
// expect: weft: sort: the arrays that are sorted together have one shape
#include <weft/run/evaluate.hpp>

using weft::tensor;

auto example(tensor<float, 3> a, tensor<float, 5> b) { return weft::sort(a, b); }
