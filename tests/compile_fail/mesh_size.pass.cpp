// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

constexpr int ranks = weft::mesh<weft::axis<"a", 1024>, weft::axis<"b", 64>>.ranks;
