// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/initialisers.hpp>

auto example(weft::traced_key<> key) {
  return weft::variance_scaling<weft::variance_options{.scale = 1}, 4, 4>(key);
}
