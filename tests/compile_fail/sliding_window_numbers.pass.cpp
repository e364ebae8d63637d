// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

auto example(traced<float, 4, 4> a) {
  return weft::sliding_window<axis_list(0, 1), window_options{.size = {2, 2}}>(a);
}
