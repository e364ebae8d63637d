// SPDX-License-Identifier: BSL-1.0
// expect: weft: while_loop: the body returns a state of another type
// expect: traced<float>
// expect: traced<bool>
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<float> a) {
  return while_loop([](auto x) { return x < 1; }, [](auto x) { return x < 2; }, a);
}
