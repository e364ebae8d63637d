// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: output_padding is at least 0
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv_transpose<"NHWC,HWIO->NHWC",
                              weft::conv_transpose_options{.output_padding = -1}>(x, w);
}
