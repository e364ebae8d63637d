// SPDX-License-Identifier: BSL-1.0
// expect: weft: sliding_window: windows run along numbers; this axis has a name
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 4> a) {
  return weft::sliding_window<axis_list(0), window_options{.size = 2}>(a);
}
