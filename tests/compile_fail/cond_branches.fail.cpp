// SPDX-License-Identifier: BSL-1.0
// expect: weft: cond: the branches return different types
// expect: traced<float, 3>
// expect: traced<bool, 3>
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<bool> p, traced<float, 3> a) {
  return cond(
      p, [](auto x) { return x * 2; }, [](auto x) { return x < 2; }, a);
}
