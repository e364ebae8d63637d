// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 5, 1> a, traced<float, 5> b) {
  return weft::concat<0>(weft::reshape<5>(a), b);
}
