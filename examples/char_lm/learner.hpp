// SPDX-License-Identifier: BSL-1.0
// The model with everything that changes while it learns: parameters, Adam's moments, the state that
// is carried from block to block. learner.cpp is the only file that compiles the programs.
// Leaves: results that depend on the options and the text alone, not on threads or on the machine.
#pragma once

#include "model.hpp"
#include "options.hpp"
#include "streams.hpp"

#include <weft/cpu/pool.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace char_lm {

class learner {
public:
  explicit learner(options const& o);

  // One training step on block `step` of the text, which is read again and again; nats per
  // character before the step. std::runtime_error when that is not a number.
  float train(streams const& text, int step);
  // Mean bits per character over all targets of the text.
  double bits_per_character(streams const& text);
  // `count` symbols drawn one after another, following the symbol `first`.
  std::vector<int> sample(int first, int count);
  // A hash of the bits of all parameters.
  std::uint32_t fingerprint() const;

  int threads() const { return pool_.threads(); }

private:
  // Up in the first steps, then down to 0, in a straight line.
  float rate(int step) const;
  void read(streams const& text, int number);

  options options_;
  weft::cpu::pool pool_;
  parameters parameters_;
  moments<tensor> moments_;
  state state_;
  block inputs_, targets_;
};

} // namespace char_lm
