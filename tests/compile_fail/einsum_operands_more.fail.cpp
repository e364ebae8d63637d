// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: the text has another number of terms than there are operands
// expect: 1
// expect: 2
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) { return weft::einsum<"i">(a, b); }
