// SPDX-License-Identifier: BSL-1.0
// expect: weft: jvp: the tangents, the last arguments, are not like the arguments they belong to; give them the same structure and types
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> t) {
  return weft::jvp([](auto x) { return x * x; })(a, t);
}
