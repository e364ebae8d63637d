// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: the text has another number of terms than there are operands
// expect: ij,jk,kl
// expect: 3
// expect: 2
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 4> b) {
  return weft::einsum<"ij,jk,kl">(a, b);
}
