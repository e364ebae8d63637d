// SPDX-License-Identifier: BSL-1.0
// expect: weft: this draw is of floats; convert<T> its result
#include <weft/weft.hpp>

inline constexpr auto noise = [](auto key) { return weft::uniform<int, 3>(key, 0, 10); };
auto whole() { return weft::jit<noise>(weft::key(1)); }
