// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

constexpr auto two = [] { return weft::full<float, 3>(2.0f); };
auto call() { return weft::jit<two>(); }
