// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, rows, 2> a) { return weft::roll<1, 1>(a); }
