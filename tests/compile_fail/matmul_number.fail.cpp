// SPDX-License-Identifier: BSL-1.0
// expect: weft: matmul: an operand is a number; write a * b
#include <weft/lang/products.hpp>

using weft::traced;

auto example(traced<float, 3, 3> a) { return weft::matmul(a, 2); }
