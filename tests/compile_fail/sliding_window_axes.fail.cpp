// SPDX-License-Identifier: BSL-1.0
// expect: weft: sliding_window: the array and its windows have more than 8 axes
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1> a) {
  return weft::sliding_window<axis_list(0, 1), window_options{.size = 1}>(a);
}
