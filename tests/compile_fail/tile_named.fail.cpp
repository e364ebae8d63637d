// SPDX-License-Identifier: BSL-1.0
// expect: weft: tile: a named extent, or a negative number of times
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows, 2> a) { return weft::tile<2, 1>(a); }
