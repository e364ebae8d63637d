// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 2, 3> x) { return arg_sort<1>(x); }
