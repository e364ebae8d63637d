// SPDX-License-Identifier: BSL-1.0
// expect: weft: sliding_window: sizes, strides and dilations are at least 1
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

auto example(traced<float, 4> a) {
  return weft::sliding_window<axis_list(0), window_options{.size = 0}>(a);
}
