// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a label has two extents
// expect: 'i'
// expect: shape<2>
// expect: shape<3>
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"ii">(a); }
