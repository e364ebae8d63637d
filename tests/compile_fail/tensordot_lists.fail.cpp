// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensordot: the lists of axes differ in length
#include <weft/lang/products.hpp>

using weft::axis_list, weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 2> b) {
  return weft::tensordot<axis_list(0, 1), axis_list(0)>(a, b);
}
