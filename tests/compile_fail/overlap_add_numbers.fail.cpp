// SPDX-License-Identifier: BSL-1.0
// expect: weft: overlap_add: 1 to 4 axes; one number for all, or one each
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

auto example(traced<float, 4, 3> a) {
  return weft::overlap_add<axis_list(0), window_options{.strides = {2, 2}}>(a);
}
