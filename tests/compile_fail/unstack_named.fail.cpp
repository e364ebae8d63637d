// SPDX-License-Identifier: BSL-1.0
// expect: weft: unstack: the axis is named
#include <weft/lang/joining.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, rows, 2> a) { return weft::unstack(a); }
