// SPDX-License-Identifier: BSL-1.0
// expect: weft: glu: the axis has no two halves; write an even number of elements, or of a named axis the halves' name: glu<0, half>(x)
#include <weft/weft.hpp>

auto gated(weft::traced<float, 2, 5> x) { return glu(x); }
