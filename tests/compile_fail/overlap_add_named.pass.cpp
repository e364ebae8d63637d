// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/pooling.hpp>

using weft::axis_list, weft::traced, weft::window_options;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 4, 3> a) {
  return weft::overlap_add<axis_list(1), window_options{}>(a);
}
