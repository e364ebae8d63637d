// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: more than 32 operands; nest two calls
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2> x) {
  return weft::einsum<"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a">(x);
}
