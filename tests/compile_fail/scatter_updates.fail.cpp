// SPDX-License-Identifier: BSL-1.0
// expect: weft: scatter: the updates do not broadcast to what take would read
// expect: shape<3>
// expect: shape<2>
#include <weft/lang/indexing.hpp>

using weft::traced;

auto example(traced<float, 4> a, traced<int, 2> i, traced<float, 3> u) {
  return scatter_add<0>(a, i, u);
}
