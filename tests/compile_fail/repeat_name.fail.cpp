// SPDX-License-Identifier: BSL-1.0
// expect: weft: repeat: a result's name is for a named axis, of 7 axes at most
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows, 2> a) { return weft::repeat<2, 1, rest>(a); }
