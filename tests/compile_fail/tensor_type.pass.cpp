// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/makers.hpp>

auto example() { return weft::tensor<float, 3>(weft::zeros<float, 3>()); }
