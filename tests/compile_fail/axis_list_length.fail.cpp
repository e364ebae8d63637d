// SPDX-License-Identifier: BSL-1.0
// expect: weft: axis_list: an array has at most 8 axes
#include <weft/lang/product_rules.hpp>

auto example() { return weft::axis_list(0, 1, 2, 3, 4, 5, 6, 7, 8); }
