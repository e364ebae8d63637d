// SPDX-License-Identifier: BSL-1.0
// expect: weft: outside of a trace a maker's extents are ints
#include <weft/lang/makers.hpp>

inline constexpr weft::sym rows{"rows"};
auto example() { return weft::zeros<float, rows>().shape(); }
