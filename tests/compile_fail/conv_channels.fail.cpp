// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: the filter's I is not the channels of x by feature_groups
// expect: shape<2, 5, 5, 4>
// expect: shape<3, 3, 2, 8>
// expect: shape<4>
// expect: shape<2>
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 2, 8> w) {
  return weft::conv<"NHWC,HWIO->NHWC">(x, w);
}
