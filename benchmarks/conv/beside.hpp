// SPDX-License-Identifier: BSL-1.0
// One layer by all sides in turns, after their results have been compared, and its line of the
// table. One thread: CPU time of the thread. More: wall time. Both the best call of all turns, so
// that what else runs on the machine falls out; read ratios.
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
