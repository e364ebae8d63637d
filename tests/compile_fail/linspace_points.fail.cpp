// SPDX-License-Identifier: BSL-1.0
// expect: weft: linspace: the number of points is an int
#include <weft/lang/makers.hpp>

inline constexpr weft::sym rows{"rows"};
auto example() { return weft::linspace<float, rows>(0, 1); }
