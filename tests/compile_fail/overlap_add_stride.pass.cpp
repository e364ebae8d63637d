// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

auto example(traced<float, 4, 3> a) {
  return weft::overlap_add<axis_list(0), window_options{.strides = 1}>(a);
}
