// SPDX-License-Identifier: BSL-1.0
// expect: weft: the shapes of the operands do not match
// expect: traced<float, 3>
// expect: traced<float, 4>
#include <weft/weft.hpp>

using weft::tensor;

auto example(tensor<float, 3> a, tensor<float, 4> b) {
  return weft::jit<[](auto x, auto y) { return x * y; }>(a, b);
}
