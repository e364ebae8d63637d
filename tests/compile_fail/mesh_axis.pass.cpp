// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"the_data", 4>>.ranks;
