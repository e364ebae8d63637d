// SPDX-License-Identifier: BSL-1.0
// A training under way in a .safetensors file: everything learnt, the number of steps done, and
// what decides the results of those to come, so that it goes on as if it had never stopped.
// Leaves: a file that is whole or not there at all. Errors: std::runtime_error or weft::io_error, a
// line with the file's path.
#pragma once

#include "learner.hpp"
#include "options.hpp"

#include <map>
#include <string>

namespace char_lm {

// What decides the results, by name, as checkpoints have it.
std::map<std::string, std::string> deciding(options const& o, std::string const& training);

// `training` is the text that is learnt. Of several processes each writes its part of the one file.
void save_checkpoint(std::string const& path, options const& o, std::string const& training,
                     int steps_done, learner const& l);
// The number of steps done; the learner goes on from there. Refuses a file of another text, model, or
// of options that give other results; how many processes wrote it does not matter.
int load_checkpoint(std::string const& path, options const& o, std::string const& training,
                    learner& l);

} // namespace char_lm
