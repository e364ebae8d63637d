// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a dot that is not part of an ellipsis
// expect: ..i->i
// expect: 0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"..i->i">(a); }
