// SPDX-License-Identifier: BSL-1.0
// The program on this CPU.
#include "machine_on.hpp"

#include "../shared/cpu_home.hpp"

namespace stencil {

std::unique_ptr<machine> open_cpu(options const& o) {
  return std::make_unique<machine_on<examples::cpu_home>>(o.threads);
}

} // namespace stencil
