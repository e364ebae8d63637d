// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) {
  auto keys = split(key);
  return weft::uniform<3>(keys[0]) + weft::uniform<3>(keys[1]);
};
auto once() { return weft::jit<noise>(weft::key(1)); }
