// SPDX-License-Identifier: BSL-1.0
// The model while it learns, on the machine that --device and --mesh name: on_cpu.cpp, on_opencl.cpp
// and on_ranks.cpp are the files that compile the programs.
// Leaves: results that depend on the options and the text alone, not on threads or on the machine; of
// several processes on their mesh, too (sums that are split).
#pragma once

#include "machine.hpp"
#include "options.hpp"
#include "streams.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace char_lm {

class learner {
public:
  learner(options const& o, std::unique_ptr<machine> on);

  // One training step on block `step` of the text, which is read again and again; nats per
  // character before the step. std::runtime_error when that is not a number.
  float train(streams const& text, int step);
  // Mean bits per character over all targets of the text.
  double bits_per_character(streams const& text);
  // `count` symbols drawn one after another, following the symbol `first`.
  std::vector<int> sample(int first, int count);
  // A hash of the bits of all parameters.
  std::uint32_t fingerprint() const;

  // What the steps to come depend on, besides the options and the text, in a file.
  void save(std::string const& path, std::map<std::string, std::string> const& texts) const {
    machine_->save(path, texts);
  }
  void load(std::string const& path) { machine_->load(path); }

  // "2 threads", or the device's name.
  std::string machine_name() const { return machine_->name(); }

private:
  // Up in the first steps, then down to 0, in a straight line.
  float rate(int step) const;
  void read(streams const& text, int number);

  options options_;
  std::unique_ptr<machine> machine_;
  block inputs_, targets_;
};

} // namespace char_lm
