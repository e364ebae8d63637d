// SPDX-License-Identifier: BSL-1.0
// expect: weft: an element needs one index per axis
#include <weft/array/tensor.hpp>

using weft::tensor;

auto example(tensor<float, 2, 3> const& a) { return a(1); }
