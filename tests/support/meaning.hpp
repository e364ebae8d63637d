// SPDX-License-Identifier: BSL-1.0
// meaning_of: interpret, compiled once for all tests. The interpreter of a graph that only the run
// knows has every op at every type, which costs each source that calls it seconds.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/graph.hpp>

namespace test {

weft::growing<weft::dense> meaning_of(weft::graph_view g, weft::view<weft::dense> inputs);

} // namespace test
