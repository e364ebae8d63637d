// SPDX-License-Identifier: BSL-1.0
// How far training is: one line that is written over on a terminal, a line per tenth elsewhere.
//   [########------------]  40 %  1.432 nats  2.07 bits/char  61.3 k char/s  1:12 left
// Needs: steps > 0. Leaves: nothing that a result depends on; the clock is only shown.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numbers>
#include <unistd.h>

namespace char_lm {

class progress {
public:
  // Of so many steps the first `done` are done already.
  progress(int steps, int characters_per_step, int done)
      : steps_(steps), characters_per_step_(characters_per_step), first_(done), done_(done) {}

  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  // Training that stopped early leaves its line as it is.
  ~progress() {
    if (terminal_ && done_ > first_ && done_ < steps_) std::puts("");
  }

  // After a step with this loss; what is shown is a running mean over about fifty steps.
  void step_done(float nats) {
    ++done_;
    mean_ += (static_cast<double>(nats) - mean_) / std::min(done_ - first_, 50);
    bool const last = done_ == steps_;
    if (terminal_ ? last || seconds() > shown_ + 0.2 : last || done_ % tenth() == 0) show(last);
  }
  double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

private:
  using clock = std::chrono::steady_clock;

  int tenth() const { return std::max(steps_ / 10, 1); }

  void show(bool last) {
    shown_ = seconds();
    constexpr int width = 24;
    int const full = static_cast<int>(1L * width * done_ / steps_);
    char bar[width + 1]{};
    for (int i = 0; i < width; ++i) bar[i] = i < full ? '#' : '-';
    double const per_second = 1.0 * (done_ - first_) * characters_per_step_ /
                              std::max(shown_, 1e-9);
    int const left = static_cast<int>(shown_ / (done_ - first_) * (steps_ - done_));
    std::printf("%s[%s] %3d %%  %.3f nats  %.2f bits/char  %.1f k char/s  %d:%02d left%s",
                terminal_ ? "\r" : "", bar, static_cast<int>(100L * done_ / steps_), mean_,
                mean_ / std::numbers::ln2, per_second / 1000, left / 60, left % 60,
                last || !terminal_ ? "\n" : "  ");
    std::fflush(stdout);
  }

  int steps_, characters_per_step_;
  int first_, done_;
  double mean_ = 0, shown_ = 0;
  bool terminal_ = isatty(STDOUT_FILENO) != 0;
  clock::time_point start_ = clock::now();
};

} // namespace char_lm
