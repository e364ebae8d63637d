// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::pad<weft::padding{.low = 1, .mode = weft::pad_mode::wrap}>(a);
}
