// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// The program on an OpenCL device, where the fields stay.
#include "machine_on.hpp"

#include "../shared/device_home.hpp"

namespace stencil {
namespace {

std::unique_ptr<machine> open(options const& o) {
  return std::make_unique<machine_on<examples::device_home>>(o.device);
}

[[maybe_unused]] bool const registered = (open_opencl = &open, true);

} // namespace
} // namespace stencil
