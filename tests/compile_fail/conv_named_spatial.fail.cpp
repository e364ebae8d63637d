// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: a named spatial axis changes its extent
// expect: rows
#include <weft/lang/conv.hpp>

using weft::sym;
constexpr sym rows{"rows"};
using weft::traced;

auto example(traced<float, 2, rows, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWC">(x, w);
}
