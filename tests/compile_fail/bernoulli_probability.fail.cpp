// SPDX-License-Identifier: BSL-1.0
// expect: weft: bernoulli: the probability is not in [0, 1]
// expect: bernoulli_probability
#include <weft/weft.hpp>

inline constexpr auto coins = [](auto key) { return weft::bernoulli<3>(key, 1.5f); };
auto example() { return weft::jit<coins>(weft::key(1)); }
