// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/checkpoint.hpp>
#include <weft/lang/elementwise.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
auto example(weft::traced<float, 3> a) { return weft::checkpoint(square)(a); }
