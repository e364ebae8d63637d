// SPDX-License-Identifier: BSL-1.0
// expect: weft: tensordot: an operand has no such axis, or it is named twice
// expect: axis_list
#include <weft/lang/products.hpp>

using weft::axis_list, weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 2> b) {
  return weft::tensordot<axis_list(2), axis_list(0)>(a, b);
}
