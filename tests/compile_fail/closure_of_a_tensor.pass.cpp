// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/expression.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::tensor, weft::traced;

auto example(traced<float, 4, 3> a, traced<float, 3> w) {
  return weft::vmap([w](auto x) { return x * w + x; })(a);
}
