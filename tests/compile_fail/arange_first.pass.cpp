// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/makers.hpp>

auto example() { return weft::arange<float, 3>(1, 2.0f); }
