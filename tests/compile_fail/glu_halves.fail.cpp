// SPDX-License-Identifier: BSL-1.0
// expect: weft: glu: the axis has no two halves; write an even number of elements
#include <weft/weft.hpp>

auto gated(weft::traced<float, 2, 5> x) { return glu(x); }
