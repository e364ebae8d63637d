// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: a letter or role twice in one text
// expect: NHWC,HWCI->NHWC
// expect: 8
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWCI->NHWC">(x, w);
}
