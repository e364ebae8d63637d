// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: axes of '...' do not broadcast; give them the same extent, or 1
// expect-gcc: First = 0; A = weft::v0::shape<2>; Second = 1; B = weft::v0::shape<5>
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 4, 5, 3> b) {
  return weft::einsum<"...i,...i->...">(a, b);
}
