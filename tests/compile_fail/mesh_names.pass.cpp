// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"data", 2>, weft::axis<"model", 2>>.ranks;
