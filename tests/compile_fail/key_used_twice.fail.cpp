// SPDX-License-Identifier: BSL-1.0
// expect: weft: key: one key is given to two draws or splits; use split(key) or fold_in
// expect: key_used_twice
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) {
  return weft::uniform<3>(key) + weft::uniform<3>(key);
};
auto twice() { return weft::jit<noise>(weft::key(1)); }
