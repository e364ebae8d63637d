// SPDX-License-Identifier: BSL-1.0
// expect: weft: mesh: two axes have one name
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"data", 2>, weft::axis<"data", 2>>.ranks;
