// SPDX-License-Identifier: BSL-1.0
// expect: weft: while_loop: the condition is not one bool; write all(x), any(x), or x != 0
// expect: traced<bool, 3>
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return while_loop([](auto x) { return x < 1; }, [](auto x) { return x + 1; }, a);
}
