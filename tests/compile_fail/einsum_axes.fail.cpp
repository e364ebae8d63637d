// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: an output or intermediate of more than 8 axes
// expect: abcde,fghij
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 2, 2, 2, 2> a, traced<float, 2, 2, 2, 2, 2> b) {
  return weft::einsum<"abcde,fghij">(a, b);
}
