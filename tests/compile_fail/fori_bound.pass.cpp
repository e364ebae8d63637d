// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<int> n) {
  return weft::fori_loop(
      0, n, [](auto, auto s) { return s + 1; }, 0);
}
