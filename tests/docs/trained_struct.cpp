// SPDX-License-Identifier: BSL-1.0
// Around the README's struct of parameters, which is trained.
#include <weft/weft.hpp>

using weft::tensor;

// example

int main() {
  tensor<float, 4, 3> const x = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  tensor<float, 4> const y = {1.5f, 2.5f, 3.5f, 6.5f};
  params<tensor> p;
  for (int i = 0; i < 400; ++i) p = weft::jit<step>(p, x, y);
  tensor<float> const left = weft::jit<loss>(p, x, y);
  return left() < 1e-3f ? 0 : 1;
}
