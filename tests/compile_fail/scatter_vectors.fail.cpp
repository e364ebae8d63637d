// SPDX-License-Identifier: BSL-1.0
// expect: weft: scatter: the last axis of the indices has a number for each named axis
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 3, 4> x, traced<int, 5, 3> at) { return weft::scatter<0, 1>(x, at, 0); }
