// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) {
  auto keys = weft::split_keys<4>(key);
  return weft::scan([](auto n, auto own) { return std::pair(n + 1, weft::uniform<3>(own)); }, 0,
                    keys);
};
auto of_all() { return weft::jit<noise>(weft::key(1)); }
