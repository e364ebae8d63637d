// SPDX-License-Identifier: BSL-1.0
// expect: weft: reshape: the numbers of elements differ
// expect: shape<2, 3>
// expect: shape<5>
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<float, 5> b) {
  return weft::concat<0>(weft::reshape<5>(a), b);
}
