// SPDX-License-Identifier: BSL-1.0
// expect: weft: vjp: the last argument, the cotangent, is not like the result; give one of its structure and types
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> ct) {
  return weft::vjp([](auto x) { return x * x; })(a, ct);
}
