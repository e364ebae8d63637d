// SPDX-License-Identifier: BSL-1.0
// expect: weft: a tensor meets a traced array; make the tensor an argument of the function
// expect: tensor<float, 3>
#include <weft/lang/expression.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/vmap.hpp>

using weft::tensor, weft::traced;

auto example(traced<float, 4, 3> a, tensor<float, 3> w) {
  return weft::vmap([w](auto x) { return x * w + x; })(a);
}
