// SPDX-License-Identifier: BSL-1.0
// expect: weft: a transform of a closure needs traced arrays; call it inside jit
#include <weft/weft.hpp>

auto example(weft::tensor<float> const& a, float scale) {
  return weft::value_and_grad([scale](auto x) { return x * scale; })(a);
}
