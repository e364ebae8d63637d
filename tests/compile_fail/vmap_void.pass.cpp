// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::vmap([](auto x) { return x; })(a);
}
