// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: vmap_options stand in front of the axes; write vmap<vmap_options{.out = 1}, 0>(f)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced, weft::vmap_options;

auto example(traced<float, 3, 2> a) {
  return weft::vmap<0, vmap_options{.out = 1}>([](auto x) { return x * x; })(a);
}
