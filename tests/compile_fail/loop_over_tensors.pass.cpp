// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor, weft::traced;

auto example(traced<float> a, traced<float> h) {
  return weft::fori_loop(
      0, 3, [&](auto, auto) { return a; }, h);
}
