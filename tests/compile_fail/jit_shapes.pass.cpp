// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

auto example(tensor<float, 3> a, tensor<float, 3> b) {
  return weft::jit<[](auto x, auto y) { return x * y; }>(a, b);
}
