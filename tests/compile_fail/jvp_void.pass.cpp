// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::jvp([](auto x) { return x; })(a, a);
}
