// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: strides and dilations are at least 1
// expect-gcc: First = 0; Second = 1
// expect-clang: 0, 1
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWC", weft::conv_options{.strides = {1, 0}}>(x, w);
}
