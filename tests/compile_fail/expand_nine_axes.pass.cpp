// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a) {
  return weft::expand_dims<0>(weft::squeeze<0>(a)) + a;
}
