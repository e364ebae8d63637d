// SPDX-License-Identifier: BSL-1.0
// expect: weft: jacobian: the result and the argument have named extents; give one of them numbers, or use vjp
#include <weft/lang/elementwise.hpp>
#include <weft/lang/jacobian.hpp>

inline constexpr weft::sym rows{"rows"};

auto example(weft::traced<float, rows> a) {
  return weft::jacobian([](auto x) { return x * x; })(a);
}
