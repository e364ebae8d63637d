// SPDX-License-Identifier: BSL-1.0
// The training step of examples/char_lm: a GRU under autocast, its gradient, and Adam.
#include "../../examples/char_lm/model.hpp"

auto train(char_lm::parameters& p, char_lm::moments<weft::tensor>& m, char_lm::state const& s,
           char_lm::block const& inputs, char_lm::block const& targets, weft::key key) {
  return weft::jit<char_lm::train_bf16>(p, m, s, inputs, targets, key, 1e-3f);
}
