// SPDX-License-Identifier: BSL-1.0
// Opens the machine that --device names.
// Leaves: std::runtime_error, a line, where there is none such.
#pragma once

#include <stdexcept>
#include <string>

namespace examples {

// opencl: null in builds without OpenCL's headers.
template <class Machine, class Options>
Machine open_machine(Options const& o, Machine (*cpu)(Options const&),
                     Machine (*opencl)(Options const&)) {
  if (o.device == "cpu") return cpu(o);
  if (o.device != "opencl" && !o.device.starts_with("opencl:"))
    throw std::runtime_error("there is no --device " + o.device +
                             "; give cpu, opencl, opencl:NUMBER or opencl:NAME");
  if (opencl == nullptr)
    throw std::runtime_error("this build has no OpenCL; install opencl-c-headers and build again, "
                             "or give --device cpu");
  return opencl(o);
}

} // namespace examples
