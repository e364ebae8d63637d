// SPDX-License-Identifier: BSL-1.0
// expect: weft: mesh: more than 8 axes, or more than 65536 ranks
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"a", 1024>, weft::axis<"b", 65>>.ranks;
