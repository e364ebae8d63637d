// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a label has two extents
// expect: 'j'
// expect: shape<3>
// expect: shape<4>
// expect: ij,jk->ik
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 4, 5> b) {
  return weft::einsum<"ij,jk->ik">(a, b);
}
