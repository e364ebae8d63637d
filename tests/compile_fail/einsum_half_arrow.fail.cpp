// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: half an arrow
// expect: ij-i
// expect: 2
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"ij-i">(a); }
