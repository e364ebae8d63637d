// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: x has roles N and C
// expect: NHWI,HWIO->NHWC
// expect: 3
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWI,HWIO->NHWC">(x, w);
}
