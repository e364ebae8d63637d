// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) { return weft::pad<0, weft::padding{.interior = 2}, rest>(a); }
