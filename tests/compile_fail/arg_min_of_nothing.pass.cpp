// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 0, 3> x) { return arg_min<1>(x); }
