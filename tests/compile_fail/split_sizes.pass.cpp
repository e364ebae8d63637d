// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::split_sizes<0, 1, 2>(a); }
