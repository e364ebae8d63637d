// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 4> x, traced<int, 4> y) { return arg_sort(x, y); }
