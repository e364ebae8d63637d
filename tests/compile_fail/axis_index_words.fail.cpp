// SPDX-License-Identifier: BSL-1.0
// expect: weft: axis_index: the mesh and names of its axes are wanted: axis_index<m, "data">()
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example() { return weft::axis_index<four, "data", 0>(); }
