// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/product_rules.hpp>

auto example() { return weft::axis_list(0, 1, 2, 3, 4, 5, 6, 7); }
