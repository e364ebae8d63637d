// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Random graphs on an OpenCL device have the interpreter's bits: elementwise, reductions, products,
// moves and loops, with static and with named extents. (Each graph is some ten programs to build.)
#include "random_graph.hpp"
#include "run_device.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace test;

int graphs_to_run(int usual) {
  char const* const asked = std::getenv("WEFT_RANDOM_GRAPHS");
  return asked != nullptr ? std::atoi(asked) : usual;
}

void run_graphs(weft::opencl::device const& on, weft::opencl::device_traits const& traits,
                graph_options const& options, std::uint64_t first, int count) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    weft::graph const g = random_graph(seed, options);
    weft::growing<weft::dense> const inputs = random_inputs(g, seed);
    weft::growing<weft::dense> const meant = meaning_of(g, inputs);
    device_runner runner(on, g, false, traits);
    ASSERT_TRUE(same_bits(seed, g, runner.run(inputs), meant));
    ASSERT_TRUE(same_bits(seed, g, runner.run(inputs, true), meant));
  }
}

TEST(device, has_the_bits_of_random_graphs) {
  if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  weft::opencl::device const on;
  graph_options small;
  small.nodes = 12;
  run_graphs(on, weft::opencl::traits_of(on.info()), small, 1, graphs_to_run(30));
}
TEST(device, has_the_bits_of_random_graphs_with_names) {
  if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  weft::opencl::device const on;
  graph_options named;
  named.nodes = 12;
  named.named = true;
  run_graphs(on, weft::opencl::traits_of(on.info()), named, 1000, graphs_to_run(15));
}
// The forms for GPUs: groups of items that share local memory.
TEST(device, has_the_bits_of_random_graphs_in_the_form_of_gpus) {
  if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  weft::opencl::device const on;
  graph_options small;
  small.nodes = 12;
  small.named = true;
  run_graphs(on, {false, 32 * 1024, 1024}, small, 2000, graphs_to_run(15));
}

} // namespace
