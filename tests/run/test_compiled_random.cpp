// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// Random graphs, optimised and planned as programs are, give the interpreter's bits on the engine.
// Kernels are interpreted (slow_kernels.hpp): this is about everything around them.
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "run/slow_kernels.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

testing::AssertionResult runs_as_meant(std::uint64_t seed, graph_view recorded, graph_view g,
                                       int bindings) {
  slow_program program(g);
  if (program.kernels() > most_kernels) return testing::AssertionFailure() << "too many kernels";
  for (int i = 0; i < bindings; ++i) {
    growing<dense> const inputs = random_inputs(recorded,
                                                seed + 1000003 * static_cast<unsigned>(i));
    testing::AssertionResult const r = same_bits(seed, g, program.run(inputs),
                                                 test::meaning_of(recorded, inputs));
    if (!r) return r;
  }
  return testing::AssertionSuccess();
}

TEST(engine, runs_random_graphs_as_recorded) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    graph_options options;
    options.nodes = seed % 3 == 0 ? 60 : 30;
    weft::graph const g = random_graph(seed, options);
    ASSERT_TRUE(runs_as_meant(seed, g, g, 1));
  }
}
TEST(engine, runs_random_graphs_after_the_passes) {
  for (std::uint64_t seed = 2000; seed < 2500; ++seed) {
    weft::graph const g = random_graph(seed);
    ASSERT_TRUE(runs_as_meant(seed, g, weft::optimise(g), 1));
  }
}
TEST(engine, runs_graphs_with_names_for_every_binding) {
  for (std::uint64_t seed = 4000; seed < 4400; ++seed) {
    graph_options options;
    options.named = true;
    weft::graph const g = random_graph(seed, options);
    ASSERT_TRUE(runs_as_meant(seed, g, weft::optimise(g), 6));
  }
}
// Loops in loops: few ops, so that carries, ys and constants are most of the graph.
TEST(engine, runs_loops) {
  graph_options options = graph_options::only(
      {op::scan, op::add, op::mul, op::contract, op::constant, op::broadcast, op::transpose,
       op::slice, op::reshape, op::reverse, op::reduce_sum});
  for (std::uint64_t seed = 6000; seed < 6500; ++seed) {
    weft::graph const g = random_graph(seed, options);
    ASSERT_TRUE(runs_as_meant(seed, g, g, 1));
    ASSERT_TRUE(runs_as_meant(seed, g, weft::optimise(g), 1));
  }
}

} // namespace
