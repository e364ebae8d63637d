// SPDX-License-Identifier: BSL-1.0
// Before its main, the program starts itself as four ranks.
#include <cstdlib>
#include <filesystem>
#include <string>
static bool const is_rank = [] {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return true;
  std::string const self = std::filesystem::read_symlink("/proc/self/exe");
  std::exit(std::system(("mpirun --oversubscribe --allow-run-as-root -n 4 " + self).c_str()) == 0
                ? 0
                : 1);
}();
// example
