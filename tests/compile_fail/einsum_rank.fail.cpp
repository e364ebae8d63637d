// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a term has more labels than its operand has axes
// expect: ij,jk->ik
// expect-clang: labels_are_axes<1, 2, 1>
// expect-gcc: Operand = 1; Labels = 2; Axes = 1
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3> b) { return weft::einsum<"ij,jk->ik">(a, b); }
