// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: two arrows
// expect: ij->j->i
// expect: 5
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"ij->j->i">(a); }
