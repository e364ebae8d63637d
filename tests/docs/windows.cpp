// SPDX-License-Identifier: BSL-1.0
// Around the fragment of docs/ops.md, "Windows and pools": its arrays, and the shapes that come out.
#include <weft/weft.hpp>

using namespace weft;

void pools(tensor<float, 1, 9, 9, 9> const& x, tensor<float, 100> const& signal,
           tensor<float, 7, 256> const& frames) {
  // example
  tensor<float, 1, 5, 5, 9> const pooled = y;
  tensor<float, 1, 9, 5, 3> const meant = z;
  tensor<float, 96> const middle = m;
  tensor<float, 6 * 128 + 256> const whole = s;
}
