// SPDX-License-Identifier: BSL-1.0
// launches(graph, traits): how many kernels ran for it on the first device; their results are the
// interpreter's.
#pragma once

#include "random/random_source.hpp"
#include "random/run_device.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <gtest/gtest.h>

namespace test {

inline weft::extent launches(weft::graph_view g, weft::opencl::device_traits const& traits,
                             std::uint64_t seed = 2) {
  weft::opencl::device const on;
  weft::growing<weft::dense> const inputs = random_inputs(g, seed);
  device_runner runner(on, g, false, traits);
  weft::extent const before = on.counted().launches;
  weft::growing<weft::dense> const results = runner.run(inputs);
  weft::extent const after = on.counted().launches;
  EXPECT_TRUE(same_bits(seed, g, results, meaning_of(g, inputs)));
  return after - before;
}

} // namespace test
