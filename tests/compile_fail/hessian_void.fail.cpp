// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function returns no arrays; return arrays, or a struct, pair or tuple of them
#include <weft/lang/jacobian.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::hessian([](auto) {})(a);
}
