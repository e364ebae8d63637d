// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<int, 5> ids) { return weft::segment_min<3>(x, ids); }
