// SPDX-License-Identifier: BSL-1.0
// expect: weft: a traced value decides no `if`; write where(p, a, b), or cond(p, f, g)
#include <weft/lang/map.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::map<[](auto x) { return x > 0 ? x : -x; }>(a);
}
