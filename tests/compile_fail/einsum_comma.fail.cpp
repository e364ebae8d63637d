// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a comma in the output
// expect: ij->i,j
// expect: 5
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"ij->i,j">(a); }
