// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Random graphs of moves and views, on the first device, against the definition.
#include "opencl/run_moves.hpp"
#include "random/random_graph.hpp"

namespace {

using namespace test;

class random_moves : public moves_on_a_device {};
INSTANTIATE_TEST_SUITE_P(forms, random_moves, testing::ValuesIn(move_forms), name_of_form);

TEST_P(random_moves, are_the_definition) {
  graph_options options = graph_options::only(
      {op::constant, op::iota, op::broadcast, op::reshape, op::transpose, op::slice, op::reverse,
       op::window, op::overlap_add, op::pad, op::concat, op::dynamic_slice,
       op::dynamic_update_slice, op::gather, op::scatter, op::arg_sort, op::arg_reduce,
       op::observe});
  options.nodes = 12;
  options.large = false;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    weft::graph const g = random_graph(seed, options);
    ASSERT_TRUE(agree(g, seed));
  }
}

} // namespace
