// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> t) {
  return weft::jvp([](auto x) { return x * x; })(a, t);
}
