// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 2, 2, 2, 2> a, traced<float, 2, 2, 2, 2, 2> b) {
  return weft::einsum<"abcde,eghia">(a, b);
}
