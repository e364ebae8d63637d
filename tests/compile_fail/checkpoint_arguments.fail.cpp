// SPDX-License-Identifier: BSL-1.0
// expect: weft: checkpoint: the function does not take these arguments; write checkpoint(f)(x), with what f takes
#include <weft/lang/checkpoint.hpp>
#include <weft/lang/elementwise.hpp>

inline constexpr auto square = [](auto x) { return x * x; };
auto example(weft::traced<float, 3> a) { return weft::checkpoint(square)(a, a); }
