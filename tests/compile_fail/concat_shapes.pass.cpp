// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 2> b) {
  return weft::concat<0>(a, transpose(b));
}
