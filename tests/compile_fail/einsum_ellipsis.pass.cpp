// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 5, 3> a, traced<float, 4, 5, 3> b) {
  return weft::einsum<"...i,...i->...">(a, b);
}
