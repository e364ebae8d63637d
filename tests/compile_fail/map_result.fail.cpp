// SPDX-License-Identifier: BSL-1.0
// expect: weft: map: the function returns no single element; return one rank-0 array or number
#include <weft/lang/map.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::map<[](auto x) { return std::pair(x, x); }>(a);
}
