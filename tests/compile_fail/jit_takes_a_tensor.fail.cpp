// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
#include <weft/weft.hpp>

constexpr auto step = [](weft::tensor<float, 3> const& x) { return weft::sum(x); };
auto example(weft::traced<float, 2, 3> rows) { return weft::map(step, rows); }
