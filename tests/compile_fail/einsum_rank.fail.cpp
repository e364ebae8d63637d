// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: operand 1 has another number of axes than labels
// expect: shape<3>
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3> b) { return weft::einsum<"ij,jk->ik">(a, b); }
