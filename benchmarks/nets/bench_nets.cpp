// SPDX-License-Identifier: BSL-1.0
// ./dev bench nets: networks whole, a layer forward or a step of training, beside oneDNN's own
// layers and the same written by hand over OpenBLAS.
#include "sides.hpp"

int main(int argc, char** argv) {
  std::vector<bench::contest> all = bench::cells();
  for (auto const& more : {bench::cell_training(), bench::small_networks(), bench::transformers(),
                           bench::character_models()})
    all.insert(all.end(), more.begin(), more.end());
  return bench::compete("nets", argc, argv, all);
}
