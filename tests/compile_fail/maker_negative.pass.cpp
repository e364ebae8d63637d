// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/makers.hpp>

auto example() { return weft::zeros<float, 3>(); }
