// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/makers.hpp>

auto example() { return weft::linspace<float, 5>(0, 1); }
