// SPDX-License-Identifier: BSL-1.0
// expect: weft: the shapes of the operands do not match
// expect: "rows"
// expect: "cols"
#include <weft/lang/elementwise.hpp>

using weft::traced;
constexpr weft::sym rows{"rows"};
constexpr weft::sym cols{"cols"};

auto example(traced<float, rows> a, traced<float, cols> b) { return a + b; }
