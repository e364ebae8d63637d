// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 1, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWC", weft::conv_options{.feature_groups = 4}>(x, w);
}
