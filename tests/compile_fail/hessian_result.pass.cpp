// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/jacobian.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::hessian([](auto x) { return sum(x * x); })(a);
}
