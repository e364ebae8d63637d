// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced, weft::vmap_options;

auto example(traced<float, 3, 2> a) {
  return weft::vmap<vmap_options{.out = 1}, 0>([](auto x) { return x * x; })(a);
}
