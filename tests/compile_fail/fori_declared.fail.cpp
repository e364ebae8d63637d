// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
// expect: tensor<float>
#include <weft/weft.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::fori_loop(
      0, 3, [&](traced<int>, traced<float> s) { return s + a; }, 0.0f);
}
