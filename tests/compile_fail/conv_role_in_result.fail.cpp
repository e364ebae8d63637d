// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: the result has roles N and C (or F)
// expect: NHWC,HWIO->NHWO
// expect: 14
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWO">(x, w);
}
