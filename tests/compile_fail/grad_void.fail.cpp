// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function returns no arrays; return arrays, or a struct, pair or tuple of them
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::grad([](auto) {})(a);
}
