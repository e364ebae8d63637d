// SPDX-License-Identifier: BSL-1.0
// expect: weft: split_sizes: the sizes do not add up to the extent
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::split_sizes<0, 1, 1>(a); }
