// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example() { return weft::axis_index<four, "data">(); }
