// SPDX-License-Identifier: BSL-1.0
// Dense layers of 3x3.
#include "registered.hpp"

namespace bench {

std::vector<measured_layer> dense_layers() {
  std::vector<measured_layer> all;
  add_all<layer{1, 56, 64, 64, 3, 1, 1}>(all, "3x3 56x56x64->64");
  add_all<layer{1, 28, 128, 128, 3, 1, 1}>(all, "3x3 28x28x128->128");
  add_all<layer{1, 14, 256, 256, 3, 1, 1}>(all, "3x3 14x14x256->256");
  add_all<layer{8, 56, 64, 64, 3, 1, 1}>(all, "3x3 56x56x64->64 x8");
  add<layer{1, 56, 64, 64, 3, 1, 1, 1, layout::nchw}, direction::forward>(all,
                                                                          "3x3 56x56x64->64 NCHW");
  return all;
}

} // namespace bench
