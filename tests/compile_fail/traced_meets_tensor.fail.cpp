// SPDX-License-Identifier: BSL-1.0
// expect: weft: a tensor meets a traced array; make the tensor an argument of the function
#include <weft/lang/expression_elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a, weft::tensor<float, 3> const& b) { return a * b; }
