// SPDX-License-Identifier: BSL-1.0
// expect: weft: full: the value is one number
#include <weft/lang/makers.hpp>

auto example() { return weft::full<float, 2>("1"); }
