// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: feature_groups does not divide the channels of x and the features
// expect: shape<4>
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 1, 9> w) {
  return weft::conv<"NHWC,HWIO->NHWC", weft::conv_options{.feature_groups = 3}>(x, w);
}
