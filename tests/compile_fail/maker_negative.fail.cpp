// SPDX-License-Identifier: BSL-1.0
// expect: weft: an extent is at least 0
#include <weft/lang/makers.hpp>

auto example() { return weft::zeros<float, -3>(); }
