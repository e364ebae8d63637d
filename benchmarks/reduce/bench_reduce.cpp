// SPDX-License-Identifier: BSL-1.0
// ./dev bench reduce: sums, maxima and moments of matrices along each axis, normalised rows and running
// sums, beside hand-written loops, Eigen's arrays, its tensors and xtensor.
#include "sides.hpp"

int main(int argc, char** argv) {
  std::vector<bench::contest> all = bench::plain_reductions();
  for (bench::contest& c : bench::row_programs()) all.push_back(std::move(c));
  return bench::compete("reduce", argc, argv, all);
}
