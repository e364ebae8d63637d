// SPDX-License-Identifier: BSL-1.0
// expect: weft: segment_prod: the ids are no vector with an id for each row
#include <weft/lang/segments.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<int, 4> ids) { return weft::segment_prod<3>(x, ids); }
