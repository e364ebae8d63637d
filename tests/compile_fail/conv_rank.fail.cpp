// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: an operand has another number of axes than its text has letters
// expect-gcc: Letters = 4; Axes = 3
// expect-clang: 1, 4, 3
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWC">(x, w);
}
