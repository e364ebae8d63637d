// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto coins = [](auto key) { return weft::bernoulli<3>(key, 0.5f); };
auto example() { return weft::jit<coins>(weft::key(1)); }
