// SPDX-License-Identifier: BSL-1.0
// expect: weft: hessian: the function must return a rank-0 float; use jacobian for an array
#include <weft/lang/jacobian.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::hessian([](auto x) { return x * x; })(a);
}
