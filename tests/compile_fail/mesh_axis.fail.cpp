// SPDX-License-Identifier: BSL-1.0
// expect: weft: mesh: an axis is axis<"data", 2>: a name of 1 to 15 letters, digits and '_', a size of at least 1
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"the data", 4>>.ranks;
