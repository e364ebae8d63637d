// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) { return weft::diff<1, 0, rest>(a); }
