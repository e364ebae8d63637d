// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/while.hpp>

using weft::traced;

inline constexpr auto sum_of_two = [](auto x, auto y) { return x + y; };
auto example(traced<float> a) { return weft::cond(a > 0, sum_of_two, sum_of_two, a, a); }
