// SPDX-License-Identifier: BSL-1.0
// expect: weft: gather: the last axis of the indices has a number for each named axis
// expect: shape<7, 3>
// expect: 2
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 4, 4> a, traced<int, 7, 3> i) { return weft::gather<0, 1>(a, i); }
