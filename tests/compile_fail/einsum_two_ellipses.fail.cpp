// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: two ellipses in one term
// expect: ...i...->i
// expect: 4
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"...i...->i">(a); }
