// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: an axis that is named
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, 3, rows> a) { return weft::pad<-1, weft::padding{.low = 1}>(a); }
