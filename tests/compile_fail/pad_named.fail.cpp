// SPDX-License-Identifier: BSL-1.0
// expect: write pad<axis, padding, name>(x)
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, 3, rows> a) { return weft::pad<-1, weft::padding{.low = 1}>(a); }
