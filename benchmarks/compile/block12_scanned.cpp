// SPDX-License-Identifier: BSL-1.0
#include "block_model.hpp"

auto train(block_model::scanned_model<weft::tensor>& p, block_model::data const& x,
           block_model::data const& target) {
  auto [next, value] = weft::jit<block_model::scanned_step>(std::move(p), x, target);
  p = next;
  return value;
}
