// SPDX-License-Identifier: BSL-1.0
// A training under way in a .safetensors file: everything learnt, the number of steps done, and
// what decides the results of those to come, so that it goes on as if it had never stopped.
// Leaves: a file that is whole or not there at all. Errors: std::runtime_error or weft::io_error, a
// line with the file's path.
#pragma once

#include "machine.hpp"
#include "options.hpp"

#include <string>

namespace char_lm {

struct checkpoint {
  int steps_done = 0;
  learnt<tensor> all;
};

// `training` is the text that is learnt.
void save_checkpoint(std::string const& path, options const& o, std::string const& training,
                     checkpoint const& c);
// Refuses a file of another text, model, or of options that give other results.
checkpoint load_checkpoint(std::string const& path, options const& o, std::string const& training);

} // namespace char_lm
