// SPDX-License-Identifier: BSL-1.0
// expect: weft: a reduction takes axes, keep and no_axes
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::sum<weft::ddof{1}>(a); }
