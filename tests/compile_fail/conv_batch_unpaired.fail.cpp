// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: N is in one of x and result alone
// expect: NHWC,HWIO->HWC
// expect: 11
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->HWC">(x, w);
}
