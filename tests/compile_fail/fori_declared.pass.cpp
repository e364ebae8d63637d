// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::traced;

auto example(traced<float> a) {
  return weft::fori_loop(
      0, 3, [&](traced<int>, traced<float> s) { return s + a; }, zeros_like(a));
}
