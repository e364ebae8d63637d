// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: a result's name is for a named axis with an interior or a crop
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) {
  return weft::pad<0, weft::padding{.low = -1, .interior = 2}, rest>(a);
}
