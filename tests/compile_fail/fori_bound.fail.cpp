// SPDX-License-Identifier: BSL-1.0
// expect: weft: fori_loop: a bound is not one int
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<int, 2> n) {
  return weft::fori_loop(
      0, n, [](auto, auto s) { return s + 1; }, 0);
}
