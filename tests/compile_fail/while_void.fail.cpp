// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function returns no arrays; return arrays, or a struct, pair or tuple of them
#include <weft/lang/elementwise.hpp>
#include <weft/lang/while.hpp>

using weft::traced;

inline constexpr auto goes_on = [](auto x) { return x < 3; };
auto example(traced<float> a) {
  return weft::while_loop(
      goes_on, [](auto x) { (void)x; }, a);
}
