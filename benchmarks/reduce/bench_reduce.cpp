// SPDX-License-Identifier: BSL-1.0
// ./dev bench reduce: sums, maxima and moments of matrices along each axis, normalised rows, running
// sums and pools, beside hand-written loops, Eigen's arrays, its tensors, xtensor and oneDNN.
#include "sides.hpp"

int main(int argc, char** argv) {
  std::vector<bench::contest> all = bench::plain_reductions();
  for (auto const& more : {bench::row_programs(), bench::pools()})
    all.insert(all.end(), more.begin(), more.end());
  return bench::compete("reduce", argc, argv, all);
}
