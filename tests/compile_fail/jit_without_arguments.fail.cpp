// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
#include <weft/weft.hpp>

constexpr auto twice = [](auto x) { return x * 2; };
auto call() { return weft::jit<twice>(); }
