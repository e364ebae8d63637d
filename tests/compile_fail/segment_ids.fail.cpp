// SPDX-License-Identifier: BSL-1.0
// expect: weft: segment_sum: the ids are no vector with an id for each row
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5, 2> x, traced<int, 4> ids) { return weft::segment_sum<3>(x, ids); }
