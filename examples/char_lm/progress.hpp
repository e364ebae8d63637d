// SPDX-License-Identifier: BSL-1.0
// The line of a training, with a running mean of the loss over about fifty steps.
#pragma once

#include "../shared/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <numbers>

namespace char_lm {

class progress : public examples::progress {
public:
  progress(int steps, int characters_per_step, int done)
      : examples::progress(steps, done), characters_per_step_(characters_per_step) {}

  void step_done(float nats) {
    mean_ += (static_cast<double>(nats) - mean_) / std::min(steps_seen() + 1, 50);
    examples::progress::step_done([this](double steps_per_second) {
      char text[80];
      std::snprintf(text, sizeof text, "%.3f nats  %.2f bits/char  %.1f k char/s", mean_, bits(),
                    steps_per_second * characters_per_step_ / 1000);
      return std::string(text);
    });
  }

  // Per character, the running mean.
  double bits() const { return mean_ / std::numbers::ln2; }

private:
  int characters_per_step_;
  double mean_ = 0;
};

} // namespace char_lm
