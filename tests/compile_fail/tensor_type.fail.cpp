// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensor: the element types differ; write convert<T>(x)
#include <weft/lang/makers.hpp>

auto example() { return weft::tensor<float, 3>(weft::zeros<int, 3>()); }
