// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a term has fewer labels than its operand has axes
// expect: ij->ji
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3, 4> a) { return weft::einsum<"ij->ji">(a); }
