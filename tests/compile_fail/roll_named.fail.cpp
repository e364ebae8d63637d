// SPDX-License-Identifier: BSL-1.0
// expect: weft: roll: a named extent
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, rows, 2> a) { return weft::roll<1, 0>(a); }
