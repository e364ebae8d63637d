// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr auto rows = weft::sub_mesh<four, "data">;
static_assert(weft::axis_size<rows> == 4);
