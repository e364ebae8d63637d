// SPDX-License-Identifier: BSL-1.0
// expect: weft: the element types differ; write convert<T>(x)
// expect: float
// expect: int
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<int, 3> b) { return a * b; }
