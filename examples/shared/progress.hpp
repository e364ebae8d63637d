// SPDX-License-Identifier: BSL-1.0
// How far training is: one line that is written over on a terminal, a line per tenth elsewhere.
//   [########------------]  40 %  1.432 nats  2.07 bits/char  61.3 k char/s  1:12 left
// Needs: steps > 0. Leaves: nothing that a result depends on; the clock is only shown.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace examples {

class progress {
public:
  // Of so many steps the first `done` are done already.
  progress(int steps, int done) : steps_(steps), first_(done), done_(done) {}

  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  // Training that stopped early leaves its line as it is.
  ~progress() {
    if (terminal_ && done_ > first_ && done_ < steps_) std::puts("");
  }

  // After a step. say(steps per second) is the middle of the line: it is called when one is shown.
  template <class Say> void step_done(Say&& say) {
    ++done_;
    bool const last = done_ == steps_;
    if (terminal_ ? last || seconds() > shown_ + 0.2 : last || done_ % tenth() == 0) {
      shown_ = seconds();
      show(say((done_ - first_) / std::max(shown_, 1e-9)), last);
    }
  }
  int steps_seen() const { return done_ - first_; }
  double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

private:
  using clock = std::chrono::steady_clock;

  int tenth() const { return std::max(steps_ / 10, 1); }

  void show(std::string const& said, bool last) const {
    constexpr int width = 24;
    int const full = static_cast<int>(1L * width * done_ / steps_);
    char bar[width + 1]{};
    for (int i = 0; i < width; ++i) bar[i] = i < full ? '#' : '-';
    int const left = static_cast<int>(shown_ / (done_ - first_) * (steps_ - done_));
    std::printf("%s[%s] %3d %%  %s  %d:%02d left%s", terminal_ ? "\r" : "", bar,
                static_cast<int>(100L * done_ / steps_), said.c_str(), left / 60, left % 60,
                last || !terminal_ ? "\n" : "  ");
    std::fflush(stdout);
  }

  int steps_, first_, done_;
  double shown_ = 0;
  bool terminal_ = isatty(STDOUT_FILENO) != 0;
  clock::time_point start_ = clock::now();
};

} // namespace examples
