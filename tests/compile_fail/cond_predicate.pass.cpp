// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<int> p, traced<float, 3> a) {
  return cond(
      p != 0, [](auto x) { return x * 2; }, [](auto x) { return x; }, a);
}
