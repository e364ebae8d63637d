// SPDX-License-Identifier: BSL-1.0
// expect: weft: the mesh has no axis of this name
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr auto rows = weft::sub_mesh<four, "model">;
