// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>, weft::axis<"model", 2>>;

constexpr int ranks = weft::split_axis<four, "data", weft::axis<"a", 2>, weft::axis<"b", 2>>.ranks;
