// SPDX-License-Identifier: BSL-1.0
// expect: weft: a recorded function returns a tensor or a key; write auto for what it computes
#include <weft/lang/expression.hpp>
#include <weft/lang/vmap.hpp>

using weft::tensor, weft::traced;

auto example(traced<float, 4, 3> a, tensor<float, 3> w) {
  return weft::vmap([w](auto) { return w; })(a);
}
