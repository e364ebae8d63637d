// SPDX-License-Identifier: BSL-1.0
// What runs the model's programs, and keeps between them all that changes: this CPU, or a device.
// Leaves: the same bits on every machine.
#pragma once

#include "model.hpp"
#include "options.hpp"

#include <map>
#include <memory>
#include <string>

namespace char_lm {

template <template <class, auto...> class array> struct learnt {
  params<array> weights;
  moments<array> adam;
  array<float, streams_at_once, hidden> carried; // the state before the next block
};

// The next symbol's probabilities, and a number in [0, 1) to choose by.
struct prediction {
  tensor<float, 1, 1, vocabulary> probabilities;
  float u;
};

class machine {
public:
  virtual ~machine() = default;

  virtual std::string name() const = 0;
  virtual void put(learnt<tensor> const& all) = 0;
  virtual learnt<tensor> get() const = 0;
  // The same in a .safetensors file, with texts.
  virtual void save(std::string const& path, std::map<std::string, std::string> const& texts) const;
  virtual void load(std::string const& path);
  // The next block is the text's first.
  virtual void rewind() = 0;
  // Both: nats per character.
  virtual float train(block const& inputs, block const& targets, weft::key key, float rate) = 0;
  virtual float score(block const& inputs, block const& targets, bool first) = 0;
  // The symbol at `place`; the text begins at place 0.
  virtual prediction predict(int symbol, int place, float temperature, weft::key key) = 0;
};

std::unique_ptr<machine> open_cpu(options const& o);
// Set by on_opencl.cpp, which builds without OpenCL's headers leave out.
inline std::unique_ptr<machine> (*open_opencl)(options const& o) = nullptr;

} // namespace char_lm
