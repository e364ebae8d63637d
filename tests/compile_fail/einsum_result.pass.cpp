// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 3, 4> b) {
  return weft::einsum<"ij,jk", float>(a, b);
}
