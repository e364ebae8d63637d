// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: the spatial letters of x, filter and result differ; write the same in each (roles
// expect: NHWC,HVIO->NHWC
// expect: 5
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HVIO->NHWC">(x, w);
}
