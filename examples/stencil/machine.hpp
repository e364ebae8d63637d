// SPDX-License-Identifier: BSL-1.0
// What runs the simulation: this CPU, or an OpenCL device. Leaves: the same bits on both.
#pragma once

#include "model.hpp"
#include "options.hpp"

#include <memory>
#include <string>

namespace stencil {

class machine {
public:
  virtual ~machine() = default;

  virtual std::string name() const = 0;
  virtual void put(fields const& now) = 0;
  virtual fields get() const = 0;
  virtual void advance(int steps, float feed, float death) = 0;
};

std::unique_ptr<machine> open_cpu(options const& o);
// Set where on_opencl.cpp is a part of the program.
inline std::unique_ptr<machine> (*open_opencl)(options const& o) = nullptr;

} // namespace stencil
