// SPDX-License-Identifier: BSL-1.0
// expect: weft: arange: bool cannot count; use another type
#include <weft/lang/operand.hpp>

using weft::traced;

auto example(traced<int, 1> a) { return (void(a), weft::arange<bool, 3>()); }
