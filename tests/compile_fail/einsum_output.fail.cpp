// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: an output label that is in no operand
// expect: ij,jk->il
// expect: 8
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 4> b) {
  return weft::einsum<"ij,jk->il">(a, b);
}
