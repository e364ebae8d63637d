// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<float> x) {
  return weft::fori_loop(
      0, 3, [](auto, auto s) { return s + 1; }, x);
}
