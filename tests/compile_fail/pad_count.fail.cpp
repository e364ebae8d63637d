// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: give one padding for all axes, or one for each
#include <weft/lang/padding.hpp>

using weft::traced;

auto example(traced<float, 3, 2, 2> a) {
  return weft::pad<weft::padding{.low = 1}, weft::padding{}>(a);
}
