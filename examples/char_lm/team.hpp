// SPDX-License-Identifier: BSL-1.0
// Processes that train together, each with its part of a step's characters (mesh axis "data") and of
// the weights ("model"): mpirun -n 8 char_lm --mesh data=4,model=2
// Leaves: every process runs the same main; the first one speaks. The loss of a first step has the bits
// of one process where weights are not split; sums of gradients over parts of the batch are rounded once
// per part.
#pragma once

#include "machine.hpp"
#include "options.hpp"

#include <cstdlib>
#include <memory>
#include <string>

namespace char_lm {

class team {
public:
  virtual ~team() = default;
  // Named by --mesh.
  virtual std::unique_ptr<machine> open_machine() = 0;
  // All processes come here, with an error or nothing, and what they must have in common. What is wrong
  // with the first that has an error, or has something else; or nothing.
  virtual std::string first_error(std::string const& mine, std::string const& common) = 0;
};

// Set by on_ranks.cpp, which builds without MPI leave out.
inline std::unique_ptr<team> (*open_team)(options const& o, int& count,
                                          char**& arguments) = nullptr;

// Under mpirun: which process this is, and of how many.
inline int number_from(char const* variable, int otherwise) {
  char const* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}
inline int this_process() { return number_from("OMPI_COMM_WORLD_RANK", 0); }
inline int processes_started() { return number_from("OMPI_COMM_WORLD_SIZE", 1); }

} // namespace char_lm
