// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto drop = [](auto key, auto x) { return dropout(key, 0.1f, x); };
auto example(weft::tensor<float, 3> x) { return weft::jit<drop>(weft::key(1), x); }
