// SPDX-License-Identifier: BSL-1.0
// expect: weft: cond: the condition is not one bool; write all(x), any(x), or x != 0
// expect: traced<int>
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<int> p, traced<float, 3> a) {
  return cond(
      p, [](auto x) { return x * 2; }, [](auto x) { return x; }, a);
}
