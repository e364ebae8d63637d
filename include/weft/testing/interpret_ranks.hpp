// SPDX-License-Identifier: BSL-1.0
// interpret_ranks: all ranks of a program in one process, each a thread that interprets the graph;
// they meet at its collectives.
//   auto outputs = testing::interpret_ranks(g, inputs); // inputs[r], outputs[r]: rank r's
// Needs: a graph that verify accepts. Leaves: what each rank computes.
// Errors: what interpret raises, and what ranks are told by testing/rank_threads.hpp.
#pragma once

#include <weft/graph/interpret.hpp>
#include <weft/testing/rank_threads.hpp>

namespace weft::inline v0::testing {

inline std::vector<growing<dense>> interpret_ranks(graph_view g,
                                                   std::vector<growing<dense>> const& inputs) {
  std::vector<growing<dense>> outputs(inputs.size());
  on_rank_threads(static_cast<int>(inputs.size()), [&](rank_transport& here) {
    auto const at = static_cast<std::size_t>(here.rank());
    outputs[at] = interpret(g, inputs[at], &here);
  });
  return outputs;
}

} // namespace weft::inline v0::testing
