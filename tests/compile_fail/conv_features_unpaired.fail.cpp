// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: the filter has O and the result no C
// expect: NHWC,HWIO->NHW
// expect: 11
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->NHW">(x, w);
}
