// SPDX-License-Identifier: BSL-1.0
// expect: weft: an array of keys; take one of them, or scan over them
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) { return weft::uniform<3>(weft::split_keys<4>(key)); };
auto of_all() { return weft::jit<noise>(weft::key(1)); }
