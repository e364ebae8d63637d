// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a label is 1 in one operand and more in another
// expect: ij,j->i
// expect: 'j'
// expect: shape<1>
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 1> b) { return weft::einsum<"ij,j->i">(a, b); }
