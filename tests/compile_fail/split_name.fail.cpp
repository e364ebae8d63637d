// SPDX-License-Identifier: BSL-1.0
// expect: weft: split: a name of the parts is for a named axis, and at least one part
#include <weft/lang/joining.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows, 2> a) { return weft::split<2, 1, rest>(a)[0]; }
