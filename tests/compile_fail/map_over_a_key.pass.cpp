// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/map.hpp>
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> k) {
  return weft::map([](auto one) { return weft::uniform<3>(one); }, weft::split_keys<8>(k));
}
