// SPDX-License-Identifier: BSL-1.0
// expect: weft: arange: a first number and a step are for floats
#include <weft/lang/makers.hpp>

auto example() { return weft::arange<int, 3>(1, 2.0f); }
