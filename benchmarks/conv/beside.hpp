// SPDX-License-Identifier: BSL-1.0
// What the table's rows are made of: layers in one direction, and how weft's side of them is made.
// Needs: bench_*.cpp, which compile weft's programs. Measured as follows: results are compared, then
// all sides run in turns; a side's time is its best call of all turns, so that what else runs on
// the machine falls out; one thread by the CPU time of the thread, more by wall time. Read ratios.
#pragma once

#include "layer.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

// A side's calls of one layer and direction.
struct contestant {
  std::string name;
  std::function<void()> run;
  std::function<std::vector<float>()> result;
};

struct measured_layer {
  std::string name;
  layer shape;
  direction to;
  contestant (*weft)(operands const&, int threads);
  std::string (*explain)();
};

// What bench_*.cpp have.
std::vector<measured_layer> dense_layers();
std::vector<measured_layer> other_layers();

} // namespace bench
