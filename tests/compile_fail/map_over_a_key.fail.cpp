// SPDX-License-Identifier: BSL-1.0
// expect: weft: map: an array or key of xs has no leading axis; split_keys<8>(key) has, in a recorded function
#include <weft/lang/map.hpp>
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> k) {
  return weft::map([](auto one) { return weft::uniform<3>(one); }, k);
}
