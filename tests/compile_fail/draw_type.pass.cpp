// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) { return weft::randint<3>(key, 0, 10); };
auto whole() { return weft::jit<noise>(weft::key(1)); }
