// SPDX-License-Identifier: BSL-1.0
// First layers, depthwise and 1x1.
#include "registered.hpp"

namespace bench {

std::vector<measured_layer> other_layers() {
  std::vector<measured_layer> all;
  add_all<layer{1, 224, 3, 64, 7, 2, 3}>(all, "7x7/2 224x224x3->64");
  add_all<layer{1, 112, 32, 32, 3, 1, 1, 32}>(all, "depthwise 3x3 112x112x32");
  add_all<layer{1, 56, 128, 128, 3, 1, 1, 128}>(all, "depthwise 3x3 56x56x128");
  add_all<layer{8, 56, 64, 64, 3, 1, 1, 64}>(all, "depthwise 3x3 56x56x64 x8");
  add_all<layer{1, 56, 64, 256, 1, 1, 0}>(all, "1x1 56x56x64->256");
  add_all<layer{1, 56, 256, 64, 1, 1, 0}>(all, "1x1 56x56x256->64");
  return all;
}

} // namespace bench
