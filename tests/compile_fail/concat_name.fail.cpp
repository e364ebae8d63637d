// SPDX-License-Identifier: BSL-1.0
// expect: weft: concat: no joined extent has a name
#include <weft/lang/joining.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, 3> a, [[maybe_unused]] traced<int, rows> i) {
  return weft::concat<0, rows>(a, a);
}
