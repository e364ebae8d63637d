// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr int ranks = weft::axis_size<four, "data">;
