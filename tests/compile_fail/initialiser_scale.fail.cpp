// SPDX-License-Identifier: BSL-1.0
// expect: weft: initialiser: the scale is not positive
#include <weft/lang/initialisers.hpp>

auto example(weft::traced_key<> key) {
  return weft::variance_scaling<weft::variance_options{.scale = 0}, 4, 4>(key);
}
