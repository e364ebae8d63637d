// SPDX-License-Identifier: BSL-1.0
// expect: weft: an axis of the mesh is named twice
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr int ranks = weft::axis_size<four, "data", "data">;
