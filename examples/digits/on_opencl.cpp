// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// The programs on an OpenCL device, where parameters and moments stay.
#include "machine_on.hpp"

#include "../shared/device_home.hpp"

namespace digits {
namespace {

std::unique_ptr<machine> open(options const& o) {
  return std::make_unique<machine_on<examples::device_home>>(o, o.device);
}

[[maybe_unused]] bool const registered = (open_opencl = &open, true);

} // namespace
} // namespace digits
