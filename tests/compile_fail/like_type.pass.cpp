// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key, weft::traced<float, 3> x) {
  return weft::uniform_like(key, x);
}
