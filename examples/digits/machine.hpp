// SPDX-License-Identifier: BSL-1.0
// What runs the network's programs, and keeps between them all that is learnt.
// Leaves: the same bits on every machine.
#pragma once

#include "model.hpp"
#include "options.hpp"

#include <memory>
#include <string>

namespace digits {

template <template <class, auto...> class array> struct learnt {
  params<array> weights;
  moments<array> adam;
};

class machine {
public:
  virtual ~machine() = default;

  virtual std::string name() const = 0;
  virtual void put(learnt<tensor> const& all) = 0;
  virtual learnt<tensor> get() const = 0;
  // Mean nats per scan of an epoch.
  virtual float train(training_scans const& scans, weft::key key, float rate) = 0;
  virtual probabilities predict(held_out_scans const& scans) = 0;
};

std::unique_ptr<machine> open_cpu(options const& o);
// Set where on_opencl.cpp is a part of the program.
inline std::unique_ptr<machine> (*open_opencl)(options const& o) = nullptr;

} // namespace digits
